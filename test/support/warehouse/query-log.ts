import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Random } from '../../../src/cli/demo/random.ts'
import { seededRandom } from '../../../src/cli/demo/random.ts'

/**
 * Writes examples/warehouse/query-log.ndjson: four weeks of Snowflake as its query history shows them. A nightly build,
 * dashboards that ask the same few questions over and over, and analysts whose sessions chain temporary tables. Two
 * analysts use the same temporary name at the same time, so that a reader must keep sessions apart.
 *
 *   node test/support/warehouse/query-log.ts
 */
const WAREHOUSE = resolve(import.meta.dirname, '../../../examples/warehouse')
const FIRST_DAY_SECONDS = Date.UTC(2026, 9, 5) / 1000
const DAY_SECONDS = 86_400
const DAYS = 28

interface LoggedQuery {
  readonly query: string
  readonly timestamp: number
  readonly user: string
  readonly session_id: string
}

/** The whole log as NDJSON text, in order of time. Same seed, same bytes. */
export function queryLog(seed = 1825): string {
  const random = seededRandom(seed)
  const nightly = nightlyStatements()
  const queries = Array.from({ length: DAYS }, (_, day) => day).flatMap((day) => [
    ...nightlyBuild(day, nightly),
    ...dashboards(day, random),
    ...analysts(day, random),
  ])
  const inOrder = queries.toSorted((a, b) => a.timestamp - b.timestamp)
  return inOrder.map((query) => `${JSON.stringify(query)}\n`).join('')
}

/** Statements of the Snowflake marts that write, as the build sends them: one at a time, without comments. */
function nightlyStatements(): string[] {
  const folder = join(WAREHOUSE, 'snowflake/3_mart')
  const files = readdirSync(folder).toSorted()
  return files
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll(/^--.*\n/gm, ''))
    .flatMap((text) => text.split(/;\n/))
    .map((statement) => statement.trim())
    .filter((statement) => /^(merge|create or replace table)/.test(statement))
}

function nightlyBuild(day: number, statements: readonly string[]): LoggedQuery[] {
  const start = FIRST_DAY_SECONDS + day * DAY_SECONDS + 2 * 3600
  const session = sessionId('b1', day)
  const lines = ['use warehouse build_wh', "alter session set query_tag = 'nightly'", ...statements]
  return lines.map((query, index) => ({
    query,
    timestamp: start + index * 41.25,
    user: 'etl_commerce',
    session_id: session,
  }))
}

const ACCOUNTS = ['NM-00114', 'NM-00207', 'NM-00388', 'NM-00415', 'NM-00562', 'NM-00633', 'NM-00790', 'NM-00841']
const SEGMENTS = ['KEY', 'REGIONAL', 'SPOT']
const GROUPS = ['AGGREGATES', 'TIMBER', 'STEEL', 'GRAIN', 'INTERMODAL', 'CHEMICALS']

type Template = (random: Random, today: string) => string

const DASHBOARDS: readonly Template[] = [
  (_, today) =>
    `select month, sum(revenue_gbp) as revenue_gbp, sum(margin_gbp) as margin_gbp from commerce.mart.customer_profitability_monthly where month >= dateadd(month, -12, '${today}'::date) group by month order by month`,
  (random) =>
    `select month, revenue_gbp, cost_gbp, margin_gbp from commerce.mart.customer_profitability_monthly where account_ref = '${random.pick(ACCOUNTS)}' order by month`,
  (random) =>
    `select customer_name, margin_gbp, leakage_gbp from commerce.mart.customer_profitability_monthly where segment = '${random.pick(SEGMENTS)}' and month = date_trunc(month, current_date()) order by margin_gbp desc limit ${random.pick([10, 20, 50])}`,
  (random) =>
    `select commodity_group, sum(revenue_gbp) as revenue_gbp, sum(margin_gbp) / nullif(sum(revenue_gbp), 0) as margin_rate from commerce.mart.consignment_margin where commodity_group = '${random.pick(GROUPS)}' group by commodity_group`,
  () =>
    'select customer_name, current_gbp, late_30_gbp, late_60_gbp, late_90_gbp from commerce.mart.receivables_ageing order by coalesce(late_90_gbp, 0) desc',
  (random) =>
    `select target_month, target_gbp, actual_gbp, attained_pct from commerce.mart.revenue_against_target where account_ref = '${random.pick(ACCOUNTS)}'`,
  () =>
    'select margin_quartile, count(*) as accounts, avg(in_time_rate) as in_time_rate from commerce.mart.account_scorecard group by margin_quartile',
  (random) =>
    `select reporting_year, sum(avoided_kg_co2e) / 1000 as avoided_tonnes from commerce.mart.carbon_statement where account_ref = '${random.pick(ACCOUNTS)}' group by reporting_year`,
  (_, today) =>
    `select value_date, sum(amount_gbp) as received_gbp from commerce.staging.payment where value_date > dateadd(day, -14, '${today}'::date) group by value_date`,
]

/** Dashboards refresh through the working day; few texts, many times. */
function dashboards(day: number, random: Random): LoggedQuery[] {
  const midnight = FIRST_DAY_SECONDS + day * DAY_SECONDS
  const busy = isWeekend(day) ? 14 : 84
  return Array.from({ length: busy }, () => ({
    query: random.pick(DASHBOARDS)(random, dateOf(day)),
    timestamp: midnight + 6 * 3600 + random.between(0, 13 * 3600_000) / 1000,
    user: 'tableau_svc',
    session_id: sessionId('da', day * 8 + random.between(0, 7)),
  }))
}

interface Notebook {
  readonly user: string
  readonly statements: Template
}

const NOTEBOOKS: readonly Notebook[] = [
  {
    user: 'm.whitlock',
    statements: (random) => `
create or replace temporary table sandbox.picked as
select account_ref, customer_name, margin_90d_gbp, overdue_gbp
from mart.account_scorecard
where margin_quartile = ${random.pick([3, 4])};
create or replace temporary table sandbox.last_order as
select m.account_ref, max(m.booked_on) as last_booked_on
from mart.consignment_margin as m
join sandbox.picked as p on p.account_ref = m.account_ref
group by m.account_ref;
create or replace table sandbox.retention_call_list as
select p.account_ref, p.customer_name, p.overdue_gbp, o.last_booked_on
from sandbox.picked as p
left join sandbox.last_order as o on o.account_ref = p.account_ref;
drop table sandbox.last_order;
drop table sandbox.picked`,
  },
  {
    user: 'jaspal.r',
    statements: (random) => `
create or replace temporary table sandbox.picked as
select consignment_id, commodity_group, revenue_gbp, expected_haulage_gbp
from mart.consignment_margin
where commodity_group = '${random.pick(GROUPS)}' and expected_haulage_gbp > 0;
insert into sandbox.price_review (commodity_group, consignments, charged_gbp, tariff_gbp)
select commodity_group, count(*), sum(revenue_gbp), sum(expected_haulage_gbp)
from sandbox.picked
group by commodity_group;
select * from sandbox.price_review order by tariff_gbp desc limit 20`,
  },
  {
    user: 'o.ferreira',
    statements: (random) => `
create or replace temporary table sandbox.energy_by_account as
select j.account_ref, sum(c.energy_gbp) as energy_gbp
from ops_link.mart.consignment_journey as j
join mart.consignment_cost as c on c.consignment_id = j.consignment_id
where j.booked_on >= dateadd(day, -${random.pick([30, 60, 90])}, current_date())
group by j.account_ref;
create or replace table sandbox.fuel_clause_audit as
select k.contract_id, k.account_ref, e.energy_gbp, sum(r.fuel_surcharge_gbp) as recovered_gbp
from staging.contract_term as k
join sandbox.energy_by_account as e on e.account_ref = k.account_ref
left join mart.consignment_revenue as r on r.account_ref = k.account_ref
where k.fuel_clause
group by k.contract_id, k.account_ref, e.energy_gbp`,
  },
  {
    user: 'h.oyelaran',
    statements: (random) => `
create or replace table sandbox.carbon_pitch as
select c.customer_name, s.reporting_year, s.avoided_kg_co2e / 1000 as avoided_tonnes
from mart.carbon_statement as s
join staging.customer as c on c.account_ref = s.account_ref
where s.reporting_year = ${random.pick([2025, 2026])};
select customer_name, avoided_tonnes from sandbox.carbon_pitch order by avoided_tonnes desc limit 5`,
  },
  {
    user: 'm.whitlock',
    statements: (random) => `
select reason_code, count(*) as notes, sum(amount) as amount from raw.credit_note where issued_on > dateadd(day, -${random.between(7, 90)}, current_date()) group by reason_code;
show tables in schema commerce.mart;
describe table commerce.mart.customer_profitability_monthly`,
  },
  {
    user: 'jaspal.r',
    statements: (random) => `
select l.line_kind, sum(l.net_amount) as net_amount from staging.invoice_line as l where l.issued_on > dateadd(day, -${random.between(1, 30)}, current_date()) group by l.line_kind`,
  },
]

/** Analysts in their notebooks: two start at the same second, so that their sessions interleave. */
function analysts(day: number, random: Random): LoggedQuery[] {
  if (isWeekend(day)) return []
  const midnight = FIRST_DAY_SECONDS + day * DAY_SECONDS
  const together = NOTEBOOKS.slice(0, 2).map((notebook) => ({ notebook, second: midnight + 10 * 3600 }))
  const alone = Array.from({ length: 9 }, () => ({
    notebook: random.pick(NOTEBOOKS),
    second: midnight + 9 * 3600 + random.between(0, 8 * 3600),
  }))
  return [...together, ...alone].flatMap(({ notebook, second }, number) => {
    const session = sessionId('aa', day * 16 + number)
    const statements = notebook.statements(random, dateOf(day)).trim().split(/;\n/)
    return statements.map((query, index) => ({
      query,
      timestamp: second + index * 20 + random.between(0, 9000) / 1000,
      user: notebook.user,
      session_id: session,
    }))
  })
}

function isWeekend(day: number): boolean {
  return day % 7 >= 5
}

function dateOf(day: number): string {
  return new Date((FIRST_DAY_SECONDS + day * DAY_SECONDS) * 1000).toISOString().slice(0, 10)
}

function sessionId(kind: string, number: number): string {
  return `${kind}${number.toString(16).padStart(6, '0')}`
}

if (import.meta.main) writeFileSync(join(WAREHOUSE, 'query-log.ndjson'), queryLog())
