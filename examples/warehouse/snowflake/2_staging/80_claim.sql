create or replace view staging.claim as
select
  * exclude (description, claimed_gbp)
    rename (settled_gbp as paid_gbp),
  datediff(day, opened_on, coalesce(settled_on, current_date())) as days_open,
  coalesce(settled_gbp, claimed_gbp * 0.6)                       as provision_gbp
from raw.damage_claim;
