{% macro audit_columns(alias=none) %}
    {%- set prefix = alias ~ '.' if alias else '' -%}
    {{ prefix }}_file as source_file,
    {{ prefix }}_loaded_at as loaded_at
{% endmacro %}

{% macro berth_columns() %}
    {% set columns = [
        {"name": "berth_id", "datatype": dbt.type_string()},
        {"name": "terminal", "datatype": dbt.type_string()},
        {"name": "length", "datatype": dbt.type_float(), "alias": "length_m"}
    ] %}
    {{ return(columns) }}
{% endmacro %}

{% macro renamed_columns(relation, columns) %}
    {%- for column in columns %}
    {{ column.name }} as {{ column.alias | default(column.name) }}{% if not loop.last %},{% endif %}
    {%- endfor %}
    {%- do log('columns of ' ~ relation, info=true) %}
{% endmacro %}
