create table if not exists raw.carbon_factor (
  carrier        varchar(20)   not null comment 'TRACTION_CURRENT, DIESEL or ROAD',
  reporting_year number(4)     not null,
  kg_per_unit    number(10, 5) not null comment 'Kilograms of CO2 equivalent per kWh, litre or tonne-kilometre',
  published_by   varchar(80),
  constraint pk_carbon_factor primary key (carrier, reporting_year)
)
comment = 'Emission factors of the national inventory';
