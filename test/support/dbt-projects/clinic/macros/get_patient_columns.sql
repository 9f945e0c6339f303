{% macro get_patient_columns() %}

{% set columns = [
    {"name": "_deleted", "datatype": "boolean"},
    {"name": "id", "datatype": dbt.type_int(), "alias": "patient_id"},
    {"name": "family_name", "datatype": dbt.type_string()}
] %}
{% do columns.append({"name": "given_name", "datatype": dbt.type_string()}) %}
{{ columns.append({"name": "born", "datatype": "date", "alias": "date_of_birth"}) or "" }}
{{ return(columns) }}

{% endmacro %}
