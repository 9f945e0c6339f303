/** How the lists of each aspect are keyed when a patch does not say so, and what an absent aspect starts from (contract §6). */
import type { JsonObject } from '../../model/json.ts'

/** Field of a list (its path from the top, or its own name) and the key fields of its items. */
export type ListKeys = Readonly<Record<string, readonly string[]>>

export interface PatchTemplate {
  readonly keys: ListKeys
  /** Fields that are always there. */
  readonly empty: JsonObject
  /** Column lineage is addressed by operation, downstream, query and upstream (fine-grained.ts). */
  readonly fineGrained: boolean
}

const UNKNOWN_STAMP = { time: 0, actor: 'urn:li:corpuser:unknown' }

const template = (keys: ListKeys, empty: JsonObject = {}, fineGrained = false): PatchTemplate => ({
  keys,
  empty,
  fineGrained,
})

const EDGES = ['destinationUrn']

const TEMPLATES: Readonly<Record<string, PatchTemplate>> = {
  globalTags: template({ tags: ['tag'] }, { tags: [] }),
  glossaryTerms: template({ terms: ['urn'] }, { terms: [], auditStamp: UNKNOWN_STAMP }),
  ownership: template({ owners: ['owner', 'type'] }, { owners: [] }),
  domains: template({ domains: [] }, { domains: [] }),
  structuredProperties: template({ properties: ['propertyUrn'] }, { properties: [] }),
  institutionalMemory: template({ elements: ['url'] }, { elements: [] }),
  upstreamLineage: template({ upstreams: ['dataset'] }, { upstreams: [], fineGrainedLineages: [] }, true),
  dataJobInputOutput: template(
    {
      inputDatasetEdges: EDGES,
      outputDatasetEdges: EDGES,
      inputDatajobEdges: EDGES,
      inputDatasets: [],
      outputDatasets: [],
      inputDatajobs: [],
      inputDatasetFields: [],
      outputDatasetFields: [],
    },
    { inputDatasets: [], outputDatasets: [] },
    true,
  ),
  datasetProperties: template({ tags: [] }, { customProperties: {}, tags: [] }),
  editableSchemaMetadata: template(
    {
      editableSchemaFieldInfo: ['fieldPath'],
      'editableSchemaFieldInfo/globalTags/tags': ['tag'],
      'editableSchemaFieldInfo/glossaryTerms/terms': ['urn'],
    },
    { editableSchemaFieldInfo: [] },
  ),
  chartInfo: template({ inputEdges: EDGES, inputs: [] }),
  dashboardInfo: template({ datasetEdges: EDGES, chartEdges: EDGES, dashboards: EDGES, charts: [], datasets: [] }),
  dataProductProperties: template({ assets: EDGES }, { assets: [] }),
  propertyDefinition: template({ entityTypes: [], allowedValues: ['value'] }),
  documentation: template({ documentations: ['attribution␟source'] }, { documentations: [] }),
}

const NO_TEMPLATE = template({})

export function templateOf(aspect: string): PatchTemplate {
  return TEMPLATES[aspect] ?? NO_TEMPLATE
}
