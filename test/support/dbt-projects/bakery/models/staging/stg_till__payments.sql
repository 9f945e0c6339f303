select
    id as payment_id,
    order_id,
    method as payment_method,
    {{ cents_to_euros('amount') }} as amount
from {{ source('till', 'payments') }}
