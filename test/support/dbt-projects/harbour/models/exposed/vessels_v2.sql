select v.imo, v.name, count(c.call_id) as calls
from {{ ref('vessels', v=1) }} v left join {{ ref('calls') }} c on c.imo = v.imo
group by v.imo, v.name
