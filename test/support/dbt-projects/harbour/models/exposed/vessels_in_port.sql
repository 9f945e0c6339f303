select v.name, v.calls from {{ ref('vessels') }} v where v.calls > 0
