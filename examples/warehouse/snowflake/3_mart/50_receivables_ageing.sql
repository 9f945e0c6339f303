create or replace view mart.receivables_ageing as
with due as (
  select
    i.account_ref,
    i.invoice_no,
    i.gross_gbp - i.credited_gbp - zeroifnull(sum(p.amount_gbp)) as due_gbp,
    case
      when datediff(day, i.issued_on, current_date()) <= 30 then 'CURRENT'
      when datediff(day, i.issued_on, current_date()) <= 60 then 'LATE_30'
      when datediff(day, i.issued_on, current_date()) <= 90 then 'LATE_60'
      else 'LATE_90'
    end as age_band
  from staging.invoice as i
  left join staging.payment as p on p.invoice_no = i.invoice_no
  group by i.account_ref, i.invoice_no, i.gross_gbp, i.credited_gbp, i.issued_on
),
banded as (
  select account_ref, age_band, due_gbp
  from due
  where due_gbp > 0
)
select
  p.account_ref,
  c.customer_name,
  c.credit_limit_gbp,
  p.current_gbp,
  p.late_30_gbp,
  p.late_60_gbp,
  p.late_90_gbp
from banded
  pivot (sum(due_gbp) for age_band in ('CURRENT', 'LATE_30', 'LATE_60', 'LATE_90'))
  as p (account_ref, current_gbp, late_30_gbp, late_60_gbp, late_90_gbp)
join staging.customer as c on c.account_ref = p.account_ref;
