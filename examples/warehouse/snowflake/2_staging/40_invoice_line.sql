-- The lines inside the documents; a correction replaces the document before it.
create or replace transient table staging.invoice_line as
with document as (
  select
    payload:invoiceNo::varchar      as invoice_no,
    payload:accountRef::varchar     as account_ref,
    payload:currency::varchar       as currency,
    payload:issuedOn::date          as issued_on,
    payload:lines                   as lines,
    event_type
  from raw.billing_event
  qualify row_number() over (partition by payload:invoiceNo order by occurred_at desc) = 1
)
select
  d.invoice_no,
  line.index + 1                            as line_no,
  d.account_ref,
  d.issued_on,
  d.currency,
  line.value:consignmentId::number(18)      as consignment_id,
  upper(line.value:kind::varchar)           as line_kind,
  line.value:net::number(12, 2)             as net_amount,
  line.value:taxRate::number(5, 4)          as tax_rate
from document as d,
  lateral flatten(input => d.lines) as line
where d.event_type <> 'INVOICE_VOIDED';
