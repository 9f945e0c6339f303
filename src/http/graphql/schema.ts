/** The GraphQL schema: the part of DataHub's that clients and the interface use (contract §9). */
import { buildSchema, type GraphQLSchema } from 'graphql'
import { enumNames } from './entity-type-names.ts'

/** Fields of every entity. */
const ENTITY = 'urn: String!  type: EntityType!  exists: Boolean'
const LABELS = 'tags: GlobalTags  glossaryTerms: GlossaryTerms  ownership: Ownership  domain: DomainAssociation'
const ASSET = `${ENTITY}  ${LABELS}  platform: DataPlatform  dataPlatformInstance: DataPlatformInstance
  status: Status  structuredProperties: StructuredProperties  container: Container
  lineage(input: LineageInput!): EntityLineageResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  aspects(input: AspectParams): [RawAspect!]`

const SDL = `
scalar Long

type Query {
  dataset(urn: String!): Dataset
  tag(urn: String!): Tag
  structuredProperty(urn: String!): StructuredPropertyEntity
  entity(urn: String!): Entity
  entities(urns: [String!]!): [Entity]
  entityExists(urn: String!): Boolean
  search(input: SearchInput!): SearchResults
  searchAcrossEntities(input: SearchAcrossEntitiesInput!): SearchResults
  scrollAcrossEntities(input: ScrollAcrossEntitiesInput!): ScrollResults
  searchAcrossLineage(input: SearchAcrossLineageInput!): SearchAcrossLineageResults
  scrollAcrossLineage(input: ScrollAcrossLineageInput!): ScrollAcrossLineageResults
  listIngestionSources(input: ListIngestionSourcesInput!): ListIngestionSourcesResult
  listAccessTokens(input: ListAccessTokenInput!): ListAccessTokenResult!
  me: AuthenticatedUser
  appConfig: AppConfig
}

type Mutation {
  updateLineage(input: UpdateLineageInput!): Boolean
  createTag(input: CreateTagInput!): String
  updateTag(urn: String!, input: TagUpdateInput!): Tag
  deleteTag(urn: String!): Boolean
  setTagColor(urn: String!, colorHex: String!): Boolean
  addTag(input: TagAssociationInput!): Boolean
  addTags(input: AddTagsInput!): Boolean
  removeTag(input: TagAssociationInput!): Boolean
  batchAddTags(input: BatchAddTagsInput!): Boolean
  batchRemoveTags(input: BatchRemoveTagsInput!): Boolean
  updateName(input: UpdateNameInput!): Boolean
  batchAssignForm(input: BatchAssignFormInput!): Boolean!
  createDynamicFormAssignment(input: CreateDynamicFormAssignmentInput!): Boolean!
  updateDescription(input: DescriptionUpdateInput!): Boolean
  createStructuredProperty(input: CreateStructuredPropertyInput!): StructuredPropertyEntity!
  updateStructuredProperty(input: UpdateStructuredPropertyInput!): StructuredPropertyEntity!
  deleteStructuredProperty(input: DeleteStructuredPropertyInput!): Boolean!
  upsertStructuredProperties(input: UpsertStructuredPropertiesInput!): StructuredProperties!
  removeStructuredProperties(input: RemoveStructuredPropertiesInput!): StructuredProperties!
  createAccessToken(input: CreateAccessTokenInput!): AccessToken
  revokeAccessToken(tokenId: String!): Boolean!
}

interface Entity { urn: String!  type: EntityType! }
enum EntityType { ${enumNames().join(' ')} }
enum FabricType { DEV TEST QA UAT EI PRE STG NON_PROD PROD CORP RVW PRD TST SIT SBX SANDBOX CERT }

type Dataset implements Entity {
  ${ASSET}
  name: String!
  origin: FabricType!
  properties: DatasetProperties
  editableProperties: DatasetEditableProperties
  schemaMetadata(version: Long): SchemaMetadata
  editableSchemaMetadata: EditableSchemaMetadata
  globalTags: GlobalTags @deprecated(reason: "use tags")
  siblings: SiblingProperties
  fineGrainedLineages: [FineGrainedLineage!]
  lastIngested: Long
  subTypes: SubTypes
  operations(startTimeMillis: Long, endTimeMillis: Long, filter: FilterInput, limit: Int): [Operation!]
  datasetProfiles(startTimeMillis: Long, endTimeMillis: Long, filter: FilterInput, limit: Int): [DatasetProfile!]
  usageStats(resource: String, range: TimeRange): UsageQueryResult
}
type DatasetProperties { name: String!  qualifiedName: String  origin: FabricType!  description: String
  customProperties: [CustomPropertiesEntry!]  externalUrl: String  created: Long  createdActor: String  lastModified: AuditStamp }
type DatasetEditableProperties { description: String  name: String }
type CustomPropertiesEntry { key: String!  value: String  associatedUrn: String }
type AuditStamp { time: Long!  actor: String }
type Status { removed: Boolean! }
type SubTypes { typeNames: [String!] }
type SiblingProperties { isPrimary: Boolean  siblings: [Entity] }
type RawAspect { aspectName: String!  payload: String }
input AspectParams { autoRenderOnly: Boolean  aspectNames: [String!] }

type SchemaMetadata { aspectVersion: Long  datasetUrn: String  name: String!  platformUrn: String!  version: Long!  hash: String!
  createdAt: Long  fields: [SchemaField!]!  primaryKeys: [String!] }
type SchemaField { fieldPath: String!  jsonPath: String  label: String  nullable: Boolean!  description: String
  type: SchemaFieldDataType!  nativeDataType: String  recursive: Boolean!  tags: GlobalTags  globalTags: GlobalTags
  glossaryTerms: GlossaryTerms  isPartOfKey: Boolean  schemaFieldEntity: SchemaFieldEntity }
enum SchemaFieldDataType { BOOLEAN FIXED STRING BYTES NUMBER DATE TIME ENUM NULL ARRAY MAP STRUCT UNION }
type EditableSchemaMetadata { editableSchemaFieldInfo: [EditableSchemaFieldInfo!]! }
type EditableSchemaFieldInfo { fieldPath: String!  description: String  tags: GlobalTags  globalTags: GlobalTags  glossaryTerms: GlossaryTerms }
type FineGrainedLineage { upstreams: [SchemaFieldRef!]  downstreams: [SchemaFieldRef!]  query: String  transformOperation: String }
type SchemaFieldRef { urn: String!  path: String! }
type Operation { timestampMillis: Long!  actor: String  operationType: OperationType!  customOperationType: String
  sourceType: OperationSourceType  numAffectedRows: Long  partition: String  affectedDatasets: [String!]
  lastUpdatedTimestamp: Long!  customProperties: [CustomPropertiesEntry!] }
enum OperationType { INSERT UPDATE DELETE CREATE ALTER DROP CUSTOM UNKNOWN }
enum OperationSourceType { DATA_PROCESS DATA_PLATFORM }
enum TimeRange { DAY WEEK MONTH QUARTER YEAR ALL }
enum WindowDuration { DAY WEEK MONTH YEAR }
type UsageQueryResult { buckets: [UsageAggregation!]  aggregations: UsageQueryResultAggregations }
type UsageAggregation { bucket: Long  duration: WindowDuration  resource: String  metrics: UsageAggregationMetrics }
type UsageAggregationMetrics { uniqueUserCount: Int  users: [UserUsageCounts!]  totalSqlQueries: Int  topSqlQueries: [String!]
  fields: [FieldUsageCounts!] }
type UsageQueryResultAggregations { uniqueUserCount: Int  users: [UserUsageCounts!]  totalSqlQueries: Int
  fields: [FieldUsageCounts!] }
type UserUsageCounts { user: CorpUser  count: Int  userEmail: String }
type FieldUsageCounts { fieldName: String!  count: Int }
type DatasetProfile { timestampMillis: Long!  rowCount: Long  columnCount: Long  sizeInBytes: Long }

type Tag implements Entity { ${ENTITY}  name: String!  description: String  properties: TagProperties  ownership: Ownership }
type TagProperties { name: String!  description: String  colorHex: String }
type GlobalTags { tags: [TagAssociation!] }
type TagAssociation { tag: Tag!  associatedUrn: String!  context: String  attribution: MetadataAttribution }
type MetadataAttribution { time: Long!  actor: Entity!  source: Entity  sourceDetail: [StringMapEntry!] }
type StringMapEntry { key: String!  value: String }
type GlossaryTerm implements Entity { ${ENTITY}  name: String!  hierarchicalName: String  properties: GlossaryTermProperties  ownership: Ownership }
type GlossaryTermProperties { name: String!  description: String  definition: String }
type GlossaryTerms { terms: [GlossaryTermAssociation!] }
type GlossaryTermAssociation { term: GlossaryTerm!  associatedUrn: String! }
type GlossaryNode implements Entity { ${ENTITY}  properties: GlossaryNodeProperties }
type GlossaryNodeProperties { name: String!  description: String }
type Ownership { owners: [Owner!]  lastModified: AuditStamp }
type Owner { owner: OwnerType!  type: String  associatedUrn: String! }
union OwnerType = CorpUser | CorpGroup
type CorpUser implements Entity { ${ENTITY}  username: String!  properties: CorpUserProperties }
type CorpUserProperties { displayName: String  email: String  fullName: String  title: String }
type CorpGroup implements Entity { ${ENTITY}  name: String!  properties: CorpGroupProperties }
type CorpGroupProperties { displayName: String  description: String  email: String }
type DomainAssociation { domain: Domain!  associatedUrn: String! }
type Domain implements Entity { ${ENTITY}  id: String!  properties: DomainProperties }
type DomainProperties { name: String!  description: String }
type DataPlatform implements Entity { ${ENTITY}  name: String!  properties: DataPlatformProperties  displayName: String }
type DataPlatformProperties { type: String  displayName: String  datasetNameDelimiter: String  logoUrl: String }
type DataPlatformInstance implements Entity { ${ENTITY}  platform: DataPlatform!  instanceId: String! }
type Container implements Entity { ${ASSET}  properties: ContainerProperties  subTypes: SubTypes }
type ContainerProperties { name: String!  description: String  customProperties: [CustomPropertiesEntry!]  qualifiedName: String  externalUrl: String }
type Chart implements Entity { ${ASSET}  chartId: String!  tool: String!  properties: NamedProperties }
type Dashboard implements Entity { ${ASSET}  dashboardId: String!  tool: String!  properties: NamedProperties }
type DataFlow implements Entity { ${ASSET}  flowId: String!  orchestrator: String!  cluster: String!  properties: NamedProperties }
type DataJob implements Entity { ${ASSET}  jobId: String!  dataFlow: DataFlow  properties: NamedProperties }
type MLModel implements Entity { ${ASSET}  name: String!  origin: FabricType!  description: String  properties: NamedProperties }
type MLModelGroup implements Entity { ${ASSET}  name: String!  origin: FabricType!  description: String  properties: NamedProperties }
type MLFeature implements Entity { ${ASSET}  name: String!  featureNamespace: String!  description: String  properties: NamedProperties }
type MLFeatureTable implements Entity { ${ASSET}  name: String!  description: String  properties: NamedProperties }
type MLPrimaryKey implements Entity { ${ASSET}  name: String!  featureNamespace: String!  description: String  properties: NamedProperties }
type Document implements Entity { ${ASSET}  subType: String  info: DocumentInfo }
type DocumentInfo { title: String }
type NamedProperties { name: String!  description: String  externalUrl: String  customProperties: [CustomPropertiesEntry!] }
type SchemaFieldEntity implements Entity { ${ENTITY}  fieldPath: String!  parent: Entity!  tags: GlobalTags  structuredProperties: StructuredProperties }
type QueryEntity implements Entity { ${ENTITY}  properties: QueryProperties  subjects: [QuerySubject!] }
type QueryProperties { name: String  description: String  source: String  statement: QueryStatement!  created: AuditStamp  lastModified: AuditStamp }
type QueryStatement { value: String!  language: String! }
type QuerySubject { dataset: Dataset }
type DataTypeEntity implements Entity { ${ENTITY}  info: DataTypeInfo! }
type DataTypeInfo { type: StdDataType!  qualifiedName: String!  displayName: String  description: String }
enum StdDataType { STRING NUMBER URN RICH_TEXT DATE OTHER }
type EntityTypeEntity implements Entity { ${ENTITY}  info: EntityTypeInfo! }
type EntityTypeInfo { type: EntityType!  qualifiedName: String!  displayName: String  description: String }
type OtherEntity implements Entity { ${ENTITY}  aspects(input: AspectParams): [RawAspect!] }

type StructuredPropertyEntity implements Entity { ${ENTITY}  definition: StructuredPropertyDefinition!
  settings: StructuredPropertySettings  relationships(input: RelationshipsInput!): EntityRelationshipsResult }
type StructuredPropertySettings { isHidden: Boolean!  showInSearchFilters: Boolean!  showInAssetSummary: Boolean!
  showAsAssetBadge: Boolean!  showInColumnsTable: Boolean! }
type StructuredPropertyDefinition { qualifiedName: String!  displayName: String  description: String
  cardinality: PropertyCardinality  allowedValues: [AllowedValue!]  valueType: DataTypeEntity!  typeQualifier: TypeQualifier
  entityTypes: [EntityTypeEntity!]!  immutable: Boolean!  created: ResolvedAuditStamp  lastModified: ResolvedAuditStamp }
enum PropertyCardinality { SINGLE MULTIPLE }
type AllowedValue { value: PropertyValue!  description: String }
type TypeQualifier { allowedTypes: [EntityTypeEntity!] }
type ResolvedAuditStamp { time: Long!  actor: CorpUser }
union PropertyValue = StringValue | NumberValue
type StringValue { stringValue: String! }
type NumberValue { numberValue: Float! }
type StructuredProperties { properties: [StructuredPropertiesEntry!] }
type StructuredPropertiesEntry { structuredProperty: StructuredPropertyEntity!  values: [PropertyValue]!  valueEntities: [Entity]  associatedUrn: String! }

enum LineageDirection { UPSTREAM DOWNSTREAM }
input LineageInput { direction: LineageDirection!  start: Int  count: Int  separateSiblings: Boolean  startTimeMillis: Long  endTimeMillis: Long
  includeGhostEntities: Boolean }
type EntityLineageResult { start: Int  count: Int  total: Int  filtered: Int  relationships: [LineageRelationship!]! }
type LineageRelationship { type: String!  entity: Entity  degree: Int! }
enum RelationshipDirection { INCOMING OUTGOING }
input RelationshipsInput { types: [String!]!  direction: RelationshipDirection!  start: Int  count: Int  includeSoftDelete: Boolean }
type EntityRelationshipsResult { start: Int  count: Int  total: Int  relationships: [EntityRelationship!]! }
type EntityRelationship { type: String!  direction: RelationshipDirection!  entity: Entity }

input SearchInput { type: EntityType!  query: String!  start: Int  count: Int  filters: [FacetFilterInput!]  orFilters: [AndFilterInput!]
  searchFlags: SearchFlags }
input SearchAcrossEntitiesInput { types: [EntityType!]  query: String!  start: Int  count: Int  filters: [FacetFilterInput!]
  orFilters: [AndFilterInput!]  viewUrn: String  searchFlags: SearchFlags  sortInput: SearchSortInput }
input ScrollAcrossEntitiesInput { types: [EntityType!]  query: String!  scrollId: String  keepAlive: String  count: Int
  orFilters: [AndFilterInput!]  viewUrn: String  searchFlags: SearchFlags  sortInput: SearchSortInput }
input AndFilterInput { and: [FacetFilterInput!] }
input FacetFilterInput { field: String!  value: String  values: [String!]  negated: Boolean  condition: FilterOperator }
input FilterInput { and: [FacetFilterInput!]! }
enum FilterOperator { CONTAIN EQUAL IEQUAL IN EXISTS GREATER_THAN GREATER_THAN_OR_EQUAL_TO LESS_THAN LESS_THAN_OR_EQUAL_TO
  START_WITH END_WITH DESCENDANTS_INCL ANCESTORS_INCL RELATED_INCL }
input SearchFlags { skipCache: Boolean  fulltext: Boolean  maxAggValues: Int  skipHighlighting: Boolean  skipAggregates: Boolean
  getSuggestions: Boolean  includeSoftDeleted: Boolean  includeRestricted: Boolean  fetchExtraFields: [String!]
  groupingSpec: GroupingSpec  includeDefaultFacets: Boolean  includeStructuredPropertyFacets: Boolean }
input GroupingSpec { groupingCriteria: [GroupingCriterion!] }
input GroupingCriterion { baseEntityType: EntityType  groupingEntityType: EntityType! }
input SearchSortInput { sortCriterion: SortCriterion  sortCriteria: [SortCriterion!] }
input SortCriterion { field: String!  sortOrder: SortOrder! }
enum SortOrder { ASCENDING DESCENDING }
type SearchResults { start: Int!  count: Int!  total: Int!  searchResults: [SearchResult!]!  facets: [FacetMetadata!] }
type ScrollResults { nextScrollId: String  count: Int!  total: Int!  searchResults: [SearchResult!]!  facets: [FacetMetadata!] }
type SearchResult { entity: Entity!  insights: [SearchInsight!]  matchedFields: [MatchedField!]!  extraProperties: [ExtraProperty!]  score: Float }
type SearchInsight { text: String!  icon: String }
type MatchedField { name: String!  value: String! }
type ExtraProperty { name: String!  value: String! }
type FacetMetadata { field: String!  displayName: String  entity: Entity  aggregations: [AggregationMetadata!]! }
type AggregationMetadata { value: String!  count: Long!  entity: Entity  displayName: String }

input SearchAcrossLineageInput { urn: String  direction: LineageDirection!  types: [EntityType!]  query: String  start: Int  count: Int
  filters: [FacetFilterInput!]  orFilters: [AndFilterInput!]  startTimeMillis: Long  endTimeMillis: Long
  searchFlags: SearchFlags  lineageFlags: LineageFlags  viewUrn: String  sortInput: SearchSortInput }
input ScrollAcrossLineageInput { urn: String  direction: LineageDirection!  types: [EntityType!]  query: String  scrollId: String
  keepAlive: String  count: Int  orFilters: [AndFilterInput!]  startTimeMillis: Long  endTimeMillis: Long
  searchFlags: SearchFlags  lineageFlags: LineageFlags  viewUrn: String  sortInput: SearchSortInput }
input LineageFlags { entitiesExploredPerHopLimit: Int  startTimeMillis: Long  endTimeMillis: Long  ignoreAsHops: [EntityTypeToPlatforms!] }
input EntityTypeToPlatforms { entityType: EntityType!  platforms: [String!] }
type SearchAcrossLineageResults { start: Int!  count: Int!  total: Int!  searchResults: [SearchAcrossLineageResult!]!
  facets: [FacetMetadata!]  freshness: FreshnessStats }
type ScrollAcrossLineageResults { nextScrollId: String  count: Int!  total: Int!  searchResults: [SearchAcrossLineageResult!]!
  facets: [FacetMetadata!] }
type SearchAcrossLineageResult { entity: Entity!  insights: [SearchInsight!]  matchedFields: [MatchedField!]!  paths: [EntityPath]
  degree: Int!  degrees: [Int!]  explored: Boolean!  truncatedChildren: Boolean!  ignoredAsHop: Boolean! }
type EntityPath { path: [Entity] }
type FreshnessStats { cached: Boolean }

input ListIngestionSourcesInput { start: Int  count: Int  query: String  filters: [FacetFilterInput!] }
type ListIngestionSourcesResult { start: Int  count: Int  total: Int  ingestionSources: [IngestionSource!]! }
type IngestionSource { urn: String!  name: String!  type: String!  executions(start: Int, count: Int): IngestionSourceExecutionRequests }
type IngestionSourceExecutionRequests { start: Int  count: Int  total: Int  executionRequests: [ExecutionRequest!]! }
type ExecutionRequest { urn: String!  id: String!  result: ExecutionRequestResult }
type ExecutionRequestResult { status: String!  startTimeMs: Long  durationMs: Long  report: String }

enum AccessTokenType { PERSONAL SERVICE_ACCOUNT }
enum AccessTokenDuration { ONE_HOUR ONE_DAY ONE_WEEK ONE_MONTH THREE_MONTHS SIX_MONTHS ONE_YEAR NO_EXPIRY }
"What a token allows; DataHub's tokens know no scopes."
enum AccessTokenScope { READ WRITE OPERATE }
input CreateAccessTokenInput { type: AccessTokenType!  actorUrn: String!  duration: AccessTokenDuration!  name: String!
  description: String
  "Those of the caller where absent."
  scopes: [AccessTokenScope!] }
type AccessToken { accessToken: String!  metadata: AccessTokenMetadata }
type AccessTokenMetadata implements Entity { urn: String!  type: EntityType!  id: String!  name: String!  description: String
  actorUrn: String!  ownerUrn: String!  createdAt: Long!  expiresAt: Long  scopes: [AccessTokenScope!]!  lastUsedAt: Long }
input ListAccessTokenInput { start: Int  count: Int  filters: [FacetFilterInput!] }
type ListAccessTokenResult { start: Int!  count: Int!  total: Int!  tokens: [AccessTokenMetadata!]! }

type AuthenticatedUser { corpUser: CorpUser!  platformPrivileges: PlatformPrivileges }
type PlatformPrivileges { manageTags: Boolean!  createTags: Boolean!  manageTokens: Boolean! }
type AppConfig { appVersion: String  telemetryConfig: TelemetryConfig!  semanticSearchConfig: SemanticSearchConfig }
type TelemetryConfig { enableThirdPartyLogging: Boolean }
type SemanticSearchConfig { enabled: Boolean!  enabledEntities: [String!]!  embeddingConfig: EmbeddingConfig }
type EmbeddingConfig { provider: String  modelId: String  modelEmbeddingKey: String  awsProviderConfig: AwsProviderConfig }
type AwsProviderConfig { region: String }

input UpdateLineageInput { edgesToAdd: [LineageEdge]!  edgesToRemove: [LineageEdge]! }
input LineageEdge { downstreamUrn: String!  upstreamUrn: String! }
input CreateTagInput { id: String  name: String!  description: String }
input TagUpdateInput { urn: String  name: String  description: String }
input TagAssociationInput { tagUrn: String!  resourceUrn: String!  subResourceType: SubResourceType  subResource: String }
input BatchAssignFormInput { formUrn: String!  entityUrns: [String!]! }
input CreateDynamicFormAssignmentInput { formUrn: String!  orFilters: [AndFilterInput!]! }
input UpdateNameInput { name: String!  urn: String! }
input DescriptionUpdateInput { description: String!  resourceUrn: String!  subResourceType: SubResourceType  subResource: String }
input AddTagsInput { tagUrns: [String!]!  resourceUrn: String!  subResourceType: SubResourceType  subResource: String }
input BatchAddTagsInput { tagUrns: [String!]!  resources: [ResourceRefInput]! }
input BatchRemoveTagsInput { tagUrns: [String!]!  resources: [ResourceRefInput]! }
input ResourceRefInput { resourceUrn: String!  subResourceType: SubResourceType  subResource: String }
enum SubResourceType { DATASET_FIELD }
input UpsertStructuredPropertiesInput { assetUrn: String!  structuredPropertyInputParams: [StructuredPropertyInputParams!]! }
input StructuredPropertyInputParams { structuredPropertyUrn: String!  values: [PropertyValueInput!]! }
input PropertyValueInput { stringValue: String  numberValue: Float }
input RemoveStructuredPropertiesInput { assetUrn: String!  structuredPropertyUrns: [String!]! }
input CreateStructuredPropertyInput { id: String  qualifiedName: String  displayName: String  description: String  immutable: Boolean
  valueType: String!  typeQualifier: TypeQualifierInput  allowedValues: [AllowedValueInput!]  cardinality: PropertyCardinality
  entityTypes: [String!]!  settings: StructuredPropertySettingsInput }
input TypeQualifierInput { allowedTypes: [String!] }
input UpdateTypeQualifierInput { newAllowedTypes: [String!] }
input AllowedValueInput { stringValue: String  numberValue: Float  description: String }
input StructuredPropertySettingsInput { isHidden: Boolean  showInSearchFilters: Boolean  showInAssetSummary: Boolean
  showAsAssetBadge: Boolean  showInColumnsTable: Boolean }
input UpdateStructuredPropertyInput { urn: String!  displayName: String  description: String  immutable: Boolean
  typeQualifier: UpdateTypeQualifierInput  newAllowedValues: [AllowedValueInput!]  setCardinalityAsMultiple: Boolean
  newEntityTypes: [String!]  settings: StructuredPropertySettingsInput }
input DeleteStructuredPropertyInput { urn: String! }
`

/** A schema without resolvers; `resolvers.ts` adds them. */
export function schemaWithoutResolvers(): GraphQLSchema {
  return buildSchema(SDL)
}
