-- Payments matched to invoices: by the account where the bank knew it, else by the number in the remittance text.
create temporary table staging.payment_candidate as
select
  p.payment_id,
  p.account_ref,
  regexp_substr(upper(p.reference), 'NM-[0-9]{8}') as invoice_no,
  p.amount * coalesce(f.gbp_rate, 1)               as amount_gbp,
  p.value_date
from raw.payment as p
left join raw.fx_rate as f
  on f.currency = p.currency
 and f.rate_date = p.value_date;

create temporary table staging.payment_matched as
select
  c.payment_id,
  coalesce(c.account_ref, i.account_ref) as account_ref,
  i.invoice_no,
  c.amount_gbp,
  c.value_date
from staging.payment_candidate as c
left join staging.invoice as i on i.invoice_no = c.invoice_no;

create table if not exists staging.payment (
  payment_id  varchar(36)   not null,
  account_ref varchar(12),
  invoice_no  varchar(16),
  amount_gbp  number(12, 2) not null,
  value_date  date          not null,
  constraint pk_payment primary key (payment_id)
);

insert into staging.payment (payment_id, account_ref, invoice_no, amount_gbp, value_date)
select m.payment_id, m.account_ref, m.invoice_no, m.amount_gbp, m.value_date
from staging.payment_matched as m
where m.value_date > (select coalesce(max(value_date), '2000-01-01'::date) from staging.payment);

drop table staging.payment_matched;
drop table staging.payment_candidate;
