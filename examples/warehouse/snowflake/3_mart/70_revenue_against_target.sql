create or replace dynamic table mart.revenue_against_target
  target_lag = '1 hour'
  warehouse = reporting_wh
as
select
  t.target_month,
  t.account_ref,
  c.customer_name,
  t.revenue_gbp                                    as target_gbp,
  zeroifnull(p.revenue_gbp)                        as actual_gbp,
  round(div0(p.revenue_gbp, t.revenue_gbp) * 100, 1) as attained_pct,
  sum(zeroifnull(p.revenue_gbp)) over (
    partition by t.account_ref, year(t.target_month)
    order by t.target_month
    rows between unbounded preceding and current row
  )                                                as actual_ytd_gbp
from raw.sales_target as t
join staging.customer as c on c.account_ref = t.account_ref
left join mart.customer_profitability_monthly as p
  on p.account_ref = t.account_ref
 and p.month = t.target_month;
