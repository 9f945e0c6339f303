-- What a customer may write in its own report: emissions by rail against the same haul by road.
create or replace table mart.carbon_statement as
select
  j.account_ref,
  year(j.booked_on)                                          as reporting_year,
  j.commodity_group,
  sum(j.tonne_km)                                            as tonne_km,
  sum(c.net_kwh * electric.kg_per_unit + zeroifnull(c.fuel_litres) * diesel.kg_per_unit) as rail_kg_co2e,
  sum(j.tonne_km * road.kg_per_unit)                         as road_kg_co2e,
  road_kg_co2e - rail_kg_co2e                                as avoided_kg_co2e
from ops_link.mart.consignment_journey as j
join mart.consignment_cost as c on c.consignment_id = j.consignment_id
join raw.carbon_factor as electric
  on electric.carrier = 'TRACTION_CURRENT' and electric.reporting_year = year(j.booked_on)
join raw.carbon_factor as diesel
  on diesel.carrier = 'DIESEL' and diesel.reporting_year = year(j.booked_on)
join raw.carbon_factor as road
  on road.carrier = 'ROAD' and road.reporting_year = year(j.booked_on)
group by j.account_ref, year(j.booked_on), j.commodity_group;
