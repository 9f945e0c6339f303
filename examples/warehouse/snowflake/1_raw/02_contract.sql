create table if not exists raw.contract (
  contract_id   number(12)    not null comment 'Number of the signed contract',
  account_ref   varchar(12)   not null,
  discount_rate number(5, 4)  not null comment 'Share taken off the tariff, 0.0750 is 7.5 %',
  fuel_clause   boolean       not null comment 'True when energy cost is passed on',
  valid_from    date          not null,
  valid_to      date                   comment 'Last day; null until further notice',
  signed_at     timestamp_tz  not null,
  document      variant                comment 'Clauses as extracted from the signed file',
  constraint pk_contract primary key (contract_id)
)
comment = 'Framework contracts with customers';
