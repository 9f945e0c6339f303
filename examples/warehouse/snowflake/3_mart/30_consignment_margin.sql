create or replace view mart.consignment_margin as
select
  j.consignment_id,
  j.account_ref,
  j.commodity_group,
  j.booked_on,
  j.tonne_km,
  r.revenue_gbp,
  c.cost_gbp,
  r.revenue_gbp - c.cost_gbp                                 as margin_gbp,
  div0(r.revenue_gbp - c.cost_gbp, r.revenue_gbp)            as margin_rate,
  j.tonne_km * t.rate_per_tonne_km_gbp * (1 - coalesce(k.discount_rate, 0)) as expected_haulage_gbp,
  j.chargeable_hours * t.demurrage_rate_gbp                  as expected_demurrage_gbp
from ops_link.mart.consignment_journey as j
join mart.consignment_revenue as r on r.consignment_id = j.consignment_id
join mart.consignment_cost as c on c.consignment_id = j.consignment_id
left join staging.tariff_gbp as t
  on t.tariff_code = j.tariff_code
 and t.commodity_group = j.commodity_group
 and j.booked_on >= t.valid_from
 and j.booked_on < t.valid_until
left join staging.contract_term as k
  on k.account_ref = j.account_ref
 and j.booked_on between k.valid_from and k.valid_to;
