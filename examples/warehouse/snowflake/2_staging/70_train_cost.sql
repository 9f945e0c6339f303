-- What a train costs us outside the house: the path, and the energy as metered by the telemetry platform.
create or replace table staging.train_cost as
with access as (
  select
    train_run_id,
    sum(iff(charge_kind = 'PENALTY', 0, amount_gbp)) as access_gbp,
    sum(iff(charge_kind = 'PENALTY', amount_gbp, 0)) as penalty_gbp
  from raw.access_charge
  group by train_run_id
)
select
  coalesce(a.train_run_id, e.train_run_id) as train_run_id,
  e.service_date,
  zeroifnull(a.access_gbp)                 as access_gbp,
  zeroifnull(a.penalty_gbp)                as penalty_gbp,
  zeroifnull(e.energy_cost_gbp)            as energy_gbp,
  e.net_kwh,
  e.fuel_litres
from access as a
full outer join telemetry_link.mart.train_energy_cost as e
  on e.train_run_id = a.train_run_id;
