create table if not exists raw.access_charge (
  statement_no  varchar(20)   not null comment 'Monthly statement of the network operator',
  line_no       number(6)     not null,
  train_run_id  number(18)    not null,
  charge_kind   varchar(20)   not null comment 'USAGE, CAPACITY, ELECTRIFICATION or PENALTY',
  amount_gbp    number(12, 2) not null,
  charged_month date          not null,
  constraint pk_access_charge primary key (statement_no, line_no)
)
comment = 'What the network operator charges for each train path';
