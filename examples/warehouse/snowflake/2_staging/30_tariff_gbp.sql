create or replace view staging.tariff_gbp as
with priced as (
  select
    t.tariff_code,
    t.commodity_group,
    t.valid_from,
    lead(t.valid_from, 1, '9999-12-31'::date)
      over (partition by t.tariff_code, t.commodity_group order by t.valid_from) as valid_until,
    t.currency,
    t.rate_per_tonne_km,
    t.demurrage_rate
  from raw.tariff_rate as t
)
select
  p.tariff_code,
  p.commodity_group,
  p.valid_from,
  p.valid_until,
  p.rate_per_tonne_km * coalesce(f.gbp_rate, 1) as rate_per_tonne_km_gbp,
  p.demurrage_rate * coalesce(f.gbp_rate, 1)    as demurrage_rate_gbp
from priced as p
left join raw.fx_rate as f
  on f.currency = p.currency
 and f.rate_date = p.valid_from;
