-- case: a condition that only a macro knows
-- dialect: snowflake, postgres
SELECT o.id FROM {{ ref('orders') }} o WHERE {{ only_recent('o.at') }} AND o.open
-- expect: id <- orders.id
-- statements: query

-- case: a clause at the end that only a macro knows
-- dialect: snowflake, postgres
SELECT o.id FROM {{ ref('orders') }} o {{ limit_in_dev(100) }}
-- expect: id <- orders.id

-- case: a table of a schema that a variable names
-- dialect: snowflake, postgres
SELECT o.id FROM {{ var('raw_schema') }}.orders o
-- expect: id <- raw_schema.orders.id

-- case: columns that only a macro knows stand beside known ones
-- dialect: snowflake, postgres
SELECT o.id, {{ audit_columns() }}, o.at FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: at <- orders.at

-- case: a qualifier that only a variable knows
-- dialect: snowflake, postgres
SELECT {{ alias }}.id FROM {{ ref('orders') }} {{ alias }}
-- expect: id <- orders.id

-- case: an output whose name nobody knows is left out
-- dialect: snowflake, postgres
SELECT o.id, o.amount AS {{ measure }}_total FROM {{ ref('orders') }} o
-- expect: id <- orders.id

-- case: a loop over what a query answers
-- dialect: snowflake, postgres
{% set kinds = run_query('select distinct kind from t').columns[0].values() %}
SELECT o.id {% for kind in kinds %}, SUM(CASE WHEN o.kind = '{{ kind }}' THEN o.amount END) AS {{ kind }}_amount{% endfor %} FROM {{ ref('orders') }} o GROUP BY o.id
-- expect: id <- orders.id
-- inputs: orders

-- case: a query that a macro writes over a model
-- dialect: snowflake, postgres
WITH s AS ({{ spread(ref('orders'), 'month') }}) SELECT s.id FROM s
-- expect: id <- orders.id

-- case: a limit and an interval from variables
-- dialect: snowflake, postgres
SELECT o.id FROM {{ ref('orders') }} o WHERE o.at > CURRENT_DATE - INTERVAL '{{ var("days") }} days' LIMIT {{ var('rows') }}
-- expect: id <- orders.id

-- case: a schedule's date and parameters
-- dialect: bigquery, hive
INSERT INTO mart.daily SELECT o.id FROM {{ params.raw }}.orders o WHERE o.ds = '{{ ds }}' AND o.hour < {{ execution_date.hour }}
-- expect: mart.daily.id <- raw.orders.id

-- case: a wrapped source
-- dialect: snowflake, postgres
SELECT o.id FROM {{ mocked_source('shop', 'orders') }} o
-- expect: id <- shop.orders.id

-- case: a template of Go: its conditions are read through, its names are holes
-- dialect: postgres
INSERT INTO mart.g (a, b) SELECT t.a, t.b FROM raw.t t {{ if .Where }} WHERE t.day = {{ .Day }} {{ end }} {{- range $i, $c := .Cols }} AND t.c > 1 {{ end }}
-- expect: mart.g.a <- raw.t.a
-- expect: mart.g.b <- raw.t.b
-- indirect: FILTER raw.t.c, FILTER raw.t.day

-- case: mustache
-- dialect: postgres
INSERT INTO mart.m (a) SELECT t.a FROM raw.t t {{#where}} WHERE t.b = {{{value}}} {{/where}}{{^where}} ORDER BY t.d {{/where}}
-- expect: mart.m.a <- raw.t.a
-- indirect: FILTER raw.t.b, SORT raw.t.d

-- case: optional clauses of a dashboard
-- dialect: postgres, bigquery
INSERT INTO mart.q (a) SELECT t.a FROM raw.t t WHERE 1 = 1 [[ AND t.c = {{y}} ]] [[AND {{created}}]] [[ORDER BY t.d LIMIT {{n}}]]
-- expect: mart.q.a <- raw.t.a
-- indirect: FILTER raw.t.c, SORT raw.t.d

-- case: ERB
-- dialect: postgres
<% if full %>
DELETE FROM mart.e;
<% end %>
INSERT INTO mart.e (a) SELECT t.a FROM raw.t t WHERE t.d > '<%= from %>' AND t.n = <%= count %>
-- expect: mart.e.a <- raw.t.a
-- indirect: FILTER raw.t.d, FILTER raw.t.n
