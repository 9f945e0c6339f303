/**
 * Kinds of objects behind CREATE, ALTER and DROP that carry no lineage, and the words in front of a kind. What is neither
 * is a slip of the pen, and told. Words that the lexer knows as keywords are not looked up here.
 */

import { nearest } from '../../model/near.ts'
import { T } from '../lexer/tokens.ts'
import type { Cursor } from './cursor.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

const KINDS = words(`
  named datashare datashares rls scheme flex optimization access account acl action ad address aggregate agent alert alias algorithm app application applications apikey archive
  assembly assertion asymmetric asynchronous attribute audit authentication authorization availability backup balancer
  base batch bindings binding blockchain branch breakpoint broker buffer bufferpool cache capacity cast catalog
  catalogs certificate channel chain character class classifier clone cluster collation column columns compaction compute
  conda condition configuration connection connections connector constraint consumer context contract contact conversion
  cortex cost cover credential cryptographic cube current custom data database databases datasource datatype dataset
  decryption default definition delegate dimension directive directory disk diskgroup distribution domain domains
  edition encryption encryptkey endpoint entitlement environment error events evolve executor export extension
  extensions failover fault feature feed federated federation feedback fetch file fileset filespace filter firewall flashback
  flow format formatter framework fulltext functional functions gateway generic git glossary governance graph graphs group
  groups hadoop handler histogram hierarchy histograms history host image immutable incremental index indexes indextype ingestion
  inmemory input install instance integration isolation issuer java job jobs join json key keyspace keystore label language
  languages lateral layer library lifecycle link listing listings load location lockdown locks log logfile logic login
  macro mail maintenance managed management mapping mask masking master match measure member membership memory message metadata method
  metric migration mining mirror mirroring model module monitor monitors namespace network node nodegroup nodes nickname notebook
  notification object obfuscation offline offload online operation operations operator optimizer option order organization outline output owner
  owned package packages packages_policy parameter parameters parser partitions password path pattern perspective pfile pipeline plan plans
  pluggable plugin policies policy pool postgres prefix premigration prepare prepared presentation primary privacy privilege privileges procedures process processor product profile
  programmable project projection projections projectionpolicy property provider provisioned proxy public publication python quality query queue quota range recipient
  recovery recycle region registration registry relationship remote replica replication report repository repartition reservation resource response restore result retention return
  revision role roles rollback route routine routing row rowset rule rules runtime sandbox savepoint scan scheduled scheduler schema
  schemas scope script scripts search secret secrets security segment semantic sensitivity sequence sequences server service services serving session sessions
  setting settings shadow share shard sharding shares shortcut signature site slice snapshot snapshots soundex source space spatial spfile spool sql
  stage stages standby statement statistic statistics stats stoplist storage store stored streamlit streams structure subcluster subnet subpartition subpool
  subscriber subscription summary super supplemental surrogate symmetric sync synonyms system systems tablegroup tables tablespace tablet tablets tag tags target
  tde template tenant text threshold throughput time timezone token tokenizer topic trace tracing tracking training transaction transfer transform transformation transforms
  trigger triggers trusted tuple type types undo unified unit update url usage user usergroup users utility validation value variable variables vector
  version versions view views virtual volume wallet warehouse warehouses webhook window work worker workload workspace wrapper writer xml xmlindex xmlschema zone
`)

/** Words that may stand in front of a kind. */
const BEFORE = words(`
  external foreign partition or replace refresh global local temp temporary unlogged transient volatile recursive secure force noforce editionable noneditionable
  editioning private unique clustered nonclustered columnstore bitmap definer sql invoker set multiset sharded
  duplicated hybrid iceberg interactive writable readable web selective lua python python3 r scalar adapter versioned bigfile smallfile
  hash kudu cached permanent aggregate no on cascaded logical delta parquet orc csv avro hudi paimon jdbc clone shallow deep trusted
  untrusted builtin window undo constraint compound nested outer lookup queryable insertable retained blocking cloud
`)

const TABLE_AND_VIEW = ['table', 'view'] as const

/**
 * With the cursor at a word behind CREATE, ALTER or DROP that no rule reads. `before`: it may stand in front of the kind;
 * `kind`: it is one; a table or view that is misspelt is told and read as what is meant; all else is told.
 */
export function objectKind(c: Cursor): 'before' | 'kind' | 'table' | 'view' | 'unknown' {
  if (!c.isName(c.pos)) return 'before'
  const word = c.textAt(c.pos).toLowerCase()
  if (BEFORE.has(word)) return 'before'
  if (!c.at(T.WORD) || KINDS.has(word) || c.peek(1) === T.EQUALS || c.types[c.pos - 1] === T.EQUALS) return 'kind'
  const [meant] = nearest(word, TABLE_AND_VIEW)
  c.note('UNKNOWN_OBJECT', c.start(), meant === undefined ? word : `${word}, did you mean ${meant}?`)
  return meant === 'table' || meant === 'view' ? meant : 'unknown'
}
