create or replace view staging.customer as
select
  account_ref,
  legal_name                          as customer_name,
  lower(trim(contact_email))          as contact_email,
  coalesce(segment, 'SPOT')           as segment,
  country_code,
  zeroifnull(credit_limit)            as credit_limit_gbp
from raw.crm_account
qualify row_number() over (partition by account_ref order by synced_at desc) = 1
    and not is_deleted;
