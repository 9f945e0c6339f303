create table if not exists raw.sales_target (
  account_ref  varchar(12)   not null,
  target_month date          not null,
  revenue_gbp  number(12, 2) not null,
  set_by       varchar(80)            comment 'Name of the account manager',
  constraint pk_sales_target primary key (account_ref, target_month)
)
comment = 'Revenue agreed with the account managers, from their spreadsheet';
