select count(*) from {{ ref('calls') }}
