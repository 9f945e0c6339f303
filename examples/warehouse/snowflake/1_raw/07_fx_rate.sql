create table if not exists raw.fx_rate (
  currency  char(3)       not null,
  rate_date date          not null,
  gbp_rate  number(14, 8) not null comment 'GBP for one unit of the currency',
  constraint pk_fx_rate primary key (currency, rate_date)
)
comment = 'Reference rates of the central bank';
