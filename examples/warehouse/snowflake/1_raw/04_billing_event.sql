create table if not exists raw.billing_event (
  event_id    varchar(36)  not null comment 'UUID given by the billing engine',
  event_type  varchar(30)  not null comment 'INVOICE_ISSUED, INVOICE_CORRECTED or INVOICE_VOIDED',
  payload     variant      not null comment 'Document as sent: head, lines and taxes',
  occurred_at timestamp_tz not null,
  loaded_at   timestamp_tz not null default current_timestamp(),
  constraint pk_billing_event primary key (event_id)
)
comment = 'Documents of the billing engine, appended by Snowpipe';

create pipe if not exists raw.billing_event_pipe auto_ingest = true as
copy into raw.billing_event (event_id, event_type, payload, occurred_at)
from (
  select $1:id::varchar, $1:type::varchar, $1:payload, $1:occurredAt::timestamp_tz
  from @raw.billing_stage/events/
)
file_format = (type = 'JSON');
