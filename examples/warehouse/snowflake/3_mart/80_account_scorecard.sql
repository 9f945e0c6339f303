create or replace view mart.account_scorecard as
with service as (
  select account_ref, avg(iff(arrived_in_time, 1, 0)) as in_time_rate
  from ops_link.mart.consignment_journey
  where booked_on >= dateadd(day, -90, current_date())
  group by account_ref
),
margin as (
  select account_ref, sum(margin_gbp) as margin_gbp, sum(revenue_gbp) as revenue_gbp
  from mart.customer_profitability_monthly
  where month >= dateadd(month, -3, current_date())
  group by account_ref
)
select
  c.account_ref,
  c.customer_name,
  c.contact_email,
  c.segment,
  s.in_time_rate,
  g.margin_gbp                                           as margin_90d_gbp,
  div0(g.margin_gbp, g.revenue_gbp)                      as margin_rate_90d,
  zeroifnull(a.late_60_gbp) + zeroifnull(a.late_90_gbp)  as overdue_gbp,
  ntile(4) over (order by g.margin_gbp desc)             as margin_quartile
from staging.customer as c
left join service as s on s.account_ref = c.account_ref
left join margin as g on g.account_ref = c.account_ref
left join mart.receivables_ageing as a on a.account_ref = c.account_ref;
