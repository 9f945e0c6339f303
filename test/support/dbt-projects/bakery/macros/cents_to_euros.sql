{# Prices are kept in cents. #}
{% macro cents_to_euros(column_name, decimals=2) -%}
    round(({{ column_name }}) / 100.0, {{ decimals }})
{%- endmacro %}
