-- A train's cost shared among its consignments by tonne-kilometres, and what was paid for damage.
create or replace table mart.consignment_cost as
with shared as (
  select
    s.consignment_id,
    sum(s.cost_share * t.access_gbp)  as access_gbp,
    sum(s.cost_share * t.energy_gbp)  as energy_gbp,
    sum(s.cost_share * t.penalty_gbp) as penalty_gbp,
    sum(s.cost_share * t.net_kwh)     as net_kwh,
    sum(s.cost_share * t.fuel_litres) as fuel_litres
  from ops_link.mart.train_consignment_share as s
  join staging.train_cost as t on t.train_run_id = s.train_run_id
  group by s.consignment_id
),
damage as (
  select consignment_id, sum(provision_gbp) as damage_gbp
  from staging.claim
  group by consignment_id
)
select
  shared.*,
  zeroifnull(damage.damage_gbp) as damage_gbp,
  shared.access_gbp + shared.energy_gbp + shared.penalty_gbp + zeroifnull(damage.damage_gbp) as cost_gbp
from shared
left join damage on damage.consignment_id = shared.consignment_id;
