create or replace table staging.invoice as
select
  l.invoice_no,
  any_value(l.account_ref)                                              as account_ref,
  any_value(l.issued_on)                                                as issued_on,
  sum(l.net_amount * f.gbp_rate)                                        as net_gbp,
  sum(l.net_amount * (1 + l.tax_rate) * f.gbp_rate)                     as gross_gbp,
  0::number(12, 2)                                                      as credited_gbp
from staging.invoice_line as l
join raw.fx_rate as f
  on f.currency = l.currency
 and f.rate_date = l.issued_on
group by l.invoice_no;

-- Credit notes come later than the invoice and lower what is due.
update staging.invoice
set credited_gbp = c.credited_gbp
from (
  select n.invoice_no, sum(n.amount * f.gbp_rate) as credited_gbp
  from raw.credit_note as n
  join staging.invoice_line as l on l.invoice_no = n.invoice_no and l.line_no = 1
  join raw.fx_rate as f on f.currency = l.currency and f.rate_date = n.issued_on
  group by n.invoice_no
) as c
where c.invoice_no = invoice.invoice_no;
