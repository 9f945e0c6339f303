{% macro hashed(column_name) %}
    {{ return(adapter.dispatch('hashed', 'bakery')(column_name)) }}
{% endmacro %}

{% macro default__hashed(column_name) %}
    md5({{ column_name }})
{% endmacro %}

{% macro snowflake__hashed(column_name) %}
    sha2(lower({{ column_name }}), 256)
{% endmacro %}
