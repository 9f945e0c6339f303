select imo, name from {{ ref('base_vessels') }}
