/** What the parser must know of functions: which aggregate, which take a unit, and which words are constants. */

import type { Dialect } from '../dialects/dialect.ts'
import { T } from '../lexer/tokens.ts'
import type { Cursor } from './cursor.ts'

const AGGREGATES = new Set(
  (
    'sum,avg,mean,count,count_big,countif,count_if,min,max,stddev,stddev_pop,stddev_samp,stdev,stdevp,var,varp,variance,var_pop,var_samp,median,mode,any_value,arbitrary,' +
    'array_agg,array_concat_agg,string_agg,listagg,group_concat,wm_concat,wmsys.wm_concat,collect_list,collect_set,json_agg,jsonb_agg,json_object_agg,jsonb_object_agg,json_arrayagg,json_objectagg,json_group_array,json_group_object,' +
    'xmlagg,bool_and,bool_or,every,logical_and,logical_or,bit_and,bit_or,bit_xor,corr,covar_pop,covar_samp,regr_slope,regr_intercept,regr_count,regr_r2,regr_avgx,regr_avgy,regr_sxx,regr_syy,regr_sxy,' +
    'measure,percentile,percentile_cont,percentile_disc,percentile_approx,approx_percentile,approx_quantiles,approx_count_distinct,approx_distinct,approx_top_count,approx_top_sum,hll,ndv,' +
    'object_agg,map_agg,histogram,multimap_agg,min_by,max_by,arg_min,arg_max,argmin,argmax,first,last,sumif,avgif,minif,maxif,uniq,uniqexact,uniqcombined,quantile,quantiles,quantileexact,grouparray,groupuniqarray,anylast,any,' +
    'sumstate,summerge,countstate,countmerge,avgstate,avgmerge,topk,kurtosis,skewness,skew,entropy,product,checksum_agg,bitmap_union,bitmap_union_count,hll_union,hll_union_agg,retention,sequence_match,windowfunnel,total,list,bool_xor,' +
    'first_value_agg,string_agg_distinct,aggregate_list,approx_median,geometric_mean,bit_and_agg,bit_or_agg,bit_xor_agg,bitand_agg,bitor_agg,bitxor_agg,booland_agg,boolor_agg,grouping_id,stats_mode,collect,sum_distinct,max_dt'
  ).split(','),
)

/** Whether a function (lower case) gives one value for many rows. */
export function isAggregate(name: string, dialect?: Dialect): boolean {
  if (AGGREGATES.has(name)) return true
  return dialect?.name === 'clickhouse' && isCombined(name)
}

const CLICKHOUSE_AGGREGATES = new Set(
  (
    'uniqcombined64,uniqhll12,uniqthetasketch,uniqupto,grouparrayinsertat,grouparraymovingavg,grouparraymovingsum,grouparraysample,grouparraysorted,grouparraylast,grouparrayintersect,groupconcat,groupbitand,groupbitor,groupbitxor,groupbitmap,groupbitmapand,groupbitmapor,groupbitmapxor,' +
    'sequencecount,sequencenextnode,sequencematch,sumwithoverflow,sumkahan,summap,minmap,maxmap,avgweighted,topkweighted,anyheavy,singlevalueornull,deltasum,deltasumtimestamp,intervallengthsum,' +
    'varpopstable,varsampstable,varpop,varsamp,stddevpop,stddevsamp,covarpop,covarsamp,corrstable,skewpop,skewsamp,kurtpop,kurtsamp,simplelinearregression,stochasticlinearregression,stochasticlogisticregression,ranksorted,rankcorr,cramersv,contingency,theilsu,mannwhitneyutest,studentttest,welchttest,' +
    'quantiledeterministic,quantileexactlow,quantileexacthigh,quantileexactweighted,quantiletiming,quantiletimingweighted,quantiletdigest,quantiletdigestweighted,quantilebfloat16,quantileinterpolatedweighted,quantilegk,quantileddsketch,quantilesexact,quantilesexactweighted,quantilestdigest,quantilestiming,quantilesgk,medianexact,mediantdigest,boundingratio,exponentialmovingaverage,maxintersections,sparkbar,entropy,largesttrianglethreebuckets'
  ).split(','),
)

const COMBINATOR =
  /(?:if|array|map|simplestate|mergestate|state|merge|foreach|distinct|ordefault|ornull|resample|argmin|argmax)$/

/** ClickHouse: names put together from an aggregate and combinators, `sumIfState`, `uniqMerge`, `avgOrNull`. */
function isCombined(name: string): boolean {
  let base = name
  for (;;) {
    if (AGGREGATES.has(base) || CLICKHOUSE_AGGREGATES.has(base)) return true
    const shorter = base.replace(COMBINATOR, '')
    if (shorter === base || shorter === '') return false
    base = shorter
  }
}

/** Functions whose first argument is a unit when all of these arguments are there. */
const UNIT_FIRST = new Map([
  ['dateadd', 3],
  ['datediff', 3],
  ['datediff_big', 3],
  ['datepart', 2],
  ['datename', 2],
  ['date_part', 2],
  ['datetrunc', 2],
  ['date_bucket', 3],
  ['timestampadd', 3],
  ['timestampdiff', 3],
  ['timeadd', 3],
  ['timediff', 3],
  ['date_add', 3],
  ['date_diff', 3],
  ['date_sub', 3],
  ['timestamp_add', 3],
  ['timestamp_sub', 3],
])

/** Functions whose second or third argument is a unit. */
const UNIT_LATER = new Set(
  'date_trunc,timestamp_trunc,datetime_trunc,time_trunc,last_day,date_diff,timestamp_diff,datetime_diff,time_diff,trunc,time_slice'.split(
    ',',
  ),
)

/** Whether argument `index` of `count`, a lone word, is a unit and no column. `known`: the word is a unit's name. */
export function isUnitArgument(name: string, index: number, count: number, known: boolean, dialect: Dialect): boolean {
  // Trino's units are strings: date_diff('day', day, now()).
  if (dialect.unnamed === 'trino') return false
  if (index === 0) {
    if (dialect.name === 'bigquery') return false
    if (UNIT_FIRST.get(name) !== count) return known && name === 'date_trunc' && count >= 2
    // DATE_DIFF(a, b, DAY) is BigQuery's order, DATE_DIFF(DAY, a, b) all others'.
    return known || dialect.name !== 'ansi' || !name.endsWith('_diff')
  }
  if (!UNIT_LATER.has(name)) return false
  if (dialect.name === 'bigquery') return index === (name.endsWith('_diff') ? 2 : 1) && (known || name !== 'trunc')
  return known && (name === 'last_day' || name === 'trunc' || name.endsWith('_diff') || name === 'time_slice')
}

const CONSTANTS = new Set(
  'current_date,current_time,current_timestamp,current_user,session_user,system_user,localtime,localtimestamp,current_role,current_catalog,current_schema,current_database,utc_date,utc_time,utc_timestamp'.split(
    ',',
  ),
)

/** What a routine knows of the statement before. */
const STATUS_WORDS = new Set(
  'sqlcode,sqlerrm,sqlstate,sqlrowcount,sqlfound,sqlnotfound,found,activity_count,sql_rowcount'.split(','),
)

const DIALECT_CONSTANTS: Readonly<Record<string, ReadonlySet<string>>> = {
  oracle: new Set(
    'sysdate,systimestamp,rownum,rowid,ora_rowscn,level,connect_by_isleaf,connect_by_iscycle,user,uid,sqlcode,sqlerrm,sessiontimezone,dbtimezone,maxvalue'.split(
      ',',
    ),
  ),
  ansi: new Set('sysdate,systimestamp,rownum'.split(',')),
  redshift: new Set(['sysdate', 'user']),
  snowflake: new Set(['sysdate', 'systimestamp']),
  vertica: new Set(['sysdate']),
  db2: new Set(['sysdate', 'rownum', 'user', 'sqlcode', 'sqlstate']),
  exasol: new Set('sysdate,systimestamp,rownum,rowid,level,connect_by_isleaf,connect_by_iscycle,user'.split(',')),
  teradata: new Set([
    'date',
    'time',
    'user',
    'session',
    'account',
    'database',
    'role',
    'profile',
    'until_changed',
    'until_closed',
  ]),
  postgres: new Set(['user']),
  greenplum: new Set(['user']),
  materialize: new Set(['mz_now']),
  tsql: new Set(['user']),
  duckdb: new Set(['merge_action']),
  hive: new Set(['grouping__id', 'input__file__name', 'block__offset__inside__file']),
  spark: new Set(['grouping__id', 'input__file__name', 'block__offset__inside__file']),
  bigquery: new Set(['_table_suffix', '_partitiontime', '_partitiondate', '_file_name']),
}

/** Whether the word at `index` is a constant such as CURRENT_DATE and no column. */
export function isConstantWord(c: Cursor, index: number, dialect: Dialect): boolean {
  const length = c.ends[index]! - c.starts[index]!
  if (length < 3 || length > 28 || c.types[index] === T.QUOTED) return false
  const word = c.textAt(index).toLowerCase()
  return (
    CONSTANTS.has(word) || (c.inBody && STATUS_WORDS.has(word)) || DIALECT_CONSTANTS[dialect.name]?.has(word) === true
  )
}
