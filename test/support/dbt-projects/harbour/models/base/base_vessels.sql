{{ latest(source('port_system', 'vessels'), 'imo', 'changed') }}
