/**
 * How what a metadata file asks of an aspect is merged with what is there. The same aspect is merged one way when an MCP
 * names it and another way when a YAML does, so each change carries the name of its rule, and a plan's file with it.
 */
import { ABSENT, BARRIER, replaceAspect, type AspectChange, type AspectMerge, type Merge } from '../../client/change.ts'
import { plannedChanges, type Asked } from '../../client/plan-file.ts'
import type { AspectKey } from '../../client/sink.ts'
import { HeadwaterError } from '../../model/errors.ts'
import { canonicalJson, objectsAt, textAt } from '../../model/json.ts'
import { editMerges, type AuditStamp } from '../aspects.ts'
import { addUpstreams, replaceUpstreams } from './upstreams.ts'

const RULES = [
  'replace',
  'create',
  'remove',
  'patch',
  'keep',
  'edit',
  'copy',
  'add-upstreams',
  'replace-upstreams',
] as const
export type MetadataRule = (typeof RULES)[number]

/** A CREATE of something that is there and reads otherwise. */
class AlreadyThereError extends HeadwaterError {
  readonly code = 'ASPECT_EXISTS'

  constructor({ urn, aspectName }: AspectKey) {
    super(`${aspectName} of ${urn} is there already and reads otherwise, so CREATE leaves it`, {
      remedy: 'send it as UPSERT, or take it out of the file',
    })
  }
}

/** What is asked, with the rule by which it is merged. */
export type Ruled = (rule: MetadataRule, asked: Asked) => AspectChange

/** @param stamp used where something changes, by the rules that write one */
export function metadataRules(stamp: AuditStamp): Ruled {
  const merges = mergesOf(stamp)
  return (rule, asked) => {
    const change = { ...asked, rule, merge: merges[rule](asked) }
    return rule === 'patch' ? { ...change, changeType: 'PATCH' } : change
  }
}

/** The changes of a plan, from the plan alone; a barrier behind definitions, since the catalog checks values against them. */
export async function* plannedMetadata(path: string, stamp: AuditStamp): AsyncGenerator<AspectChange | typeof BARRIER> {
  const ruled = metadataRules(stamp)
  let defining = false
  const changes = plannedChanges(path, (asked, name) => {
    const rule = RULES.find((known) => known === name)
    return rule && ruled(rule, asked)
  })
  for await (const change of changes) {
    const defines = change.aspectName === 'propertyDefinition'
    if (defining && !defines) yield BARRIER
    defining = defines
    yield change
  }
}

type Merges = { readonly [K in MetadataRule]: (key: AspectKey) => AspectMerge }

function mergesOf(stamp: AuditStamp): Merges {
  const edits = editMerges(stamp)
  return {
    replace: () => replaceAspect,
    create: createOnly,
    remove: () => (current) => (current === undefined ? undefined : ABSENT),
    patch: () => replaceAspect,
    keep: () => keepUnknown,
    edit: ({ aspectName }) => edits.get(aspectName) ?? replaceAspect,
    copy: () => addCopy(stamp),
    'add-upstreams': () => addUpstreams(stamp),
    'replace-upstreams': () => replaceUpstreams(stamp),
  }
}

/** Keys that the file does not name stay as they are. */
const keepUnknown: Merge = (current, intent) => ({ ...current, ...intent })

function createOnly(key: AspectKey): Merge {
  return (current, intent) => {
    if (current === undefined) return intent
    if (canonicalJson(current) === canonicalJson(intent)) return undefined
    throw new AlreadyThereError(key)
  }
}

/** One dataset more that feeds this one, beside whatever else does. */
function addCopy(stamp: AuditStamp): Merge {
  return (current, intent) => {
    const upstreams = objectsAt(current, 'upstreams')
    const dataset = textAt(intent, 'dataset')
    if (upstreams.some((upstream) => textAt(upstream, 'dataset') === dataset)) return undefined
    return { ...current, upstreams: [...upstreams, { auditStamp: stamp, ...intent }] }
  }
}
