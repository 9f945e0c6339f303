create table if not exists raw.tariff_rate (
  tariff_code       varchar(8)    not null,
  commodity_group   varchar(20)   not null,
  valid_from        date          not null,
  currency          char(3)       not null,
  rate_per_tonne_km number(10, 5) not null comment 'Haulage price in the currency of the tariff',
  demurrage_rate    number(10, 2) not null comment 'Price of one wagon hour beyond free time',
  constraint pk_tariff_rate primary key (tariff_code, commodity_group, valid_from)
)
comment = 'Published tariff, revised each April';
