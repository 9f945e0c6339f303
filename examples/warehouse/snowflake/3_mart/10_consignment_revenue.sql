create or replace table mart.consignment_revenue as
select
  l.consignment_id,
  l.account_ref,
  min(l.issued_on)                                                       as first_invoiced_on,
  sum(iff(l.line_kind = 'HAULAGE', l.net_amount * f.gbp_rate, 0))        as haulage_gbp,
  sum(iff(l.line_kind = 'DEMURRAGE', l.net_amount * f.gbp_rate, 0))      as demurrage_gbp,
  sum(iff(l.line_kind = 'FUEL', l.net_amount * f.gbp_rate, 0))           as fuel_surcharge_gbp,
  sum(l.net_amount * f.gbp_rate)                                         as revenue_gbp
from staging.invoice_line as l
join raw.fx_rate as f
  on f.currency = l.currency
 and f.rate_date = l.issued_on
where l.consignment_id is not null
group by l.consignment_id, l.account_ref;
