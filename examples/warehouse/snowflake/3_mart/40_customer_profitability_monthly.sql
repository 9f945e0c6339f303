-- The table that the board looks at. Incremental by month: the current and the last one are rewritten.
create table if not exists mart.customer_profitability_monthly (
  month            date          not null,
  account_ref      varchar(12)   not null,
  customer_name    varchar(200)  not null comment 'Legal name',
  segment          varchar(20)   not null,
  consignments     number(9)     not null,
  tonne_km         number(18, 3),
  revenue_gbp      number(14, 2) not null,
  cost_gbp         number(14, 2) not null,
  margin_gbp       number(14, 2) not null comment 'Revenue less track access, energy, penalties and damage',
  leakage_gbp      number(14, 2)          comment 'What the tariff says should have been invoiced, less what was',
  constraint pk_customer_profitability_monthly primary key (month, account_ref)
)
comment = 'Revenue, cost and margin of each customer by month of booking';

merge into mart.customer_profitability_monthly as t
using (
  select
    date_trunc(month, m.booked_on)::date as month,
    m.account_ref,
    u.customer_name,
    u.segment,
    count(*)                             as consignments,
    sum(m.tonne_km)                      as tonne_km,
    sum(m.revenue_gbp)                   as revenue_gbp,
    sum(m.cost_gbp)                      as cost_gbp,
    sum(m.margin_gbp)                    as margin_gbp,
    sum(m.expected_haulage_gbp + m.expected_demurrage_gbp - m.revenue_gbp) as leakage_gbp
  from mart.consignment_margin as m
  join staging.customer as u on u.account_ref = m.account_ref
  where m.booked_on >= dateadd(month, -1, date_trunc(month, current_date()))
  group by 1, 2, 3, 4
) as s
on t.month = s.month and t.account_ref = s.account_ref
when matched then update set
  t.customer_name = s.customer_name,
  t.segment       = s.segment,
  t.consignments  = s.consignments,
  t.tonne_km      = s.tonne_km,
  t.revenue_gbp   = s.revenue_gbp,
  t.cost_gbp      = s.cost_gbp,
  t.margin_gbp    = s.margin_gbp,
  t.leakage_gbp   = s.leakage_gbp
when not matched then insert
  (month, account_ref, customer_name, segment, consignments, tonne_km, revenue_gbp, cost_gbp, margin_gbp, leakage_gbp)
values
  (s.month, s.account_ref, s.customer_name, s.segment, s.consignments, s.tonne_km, s.revenue_gbp, s.cost_gbp,
   s.margin_gbp, s.leakage_gbp);
