select
    {{ renamed_columns(source('port_system', 'berths'), berth_columns()) }}
from {{ source('port_system', 'berths') }}
