/**
 * The entity registry, as data: which entity types there are, how their URNs are keyed, which aspects each carries, the
 * full record name of each aspect on the wire, which aspects are timeseries, and which fields of an aspect point to
 * other entities. What the wire calls an aspect must stand here to be accepted. Looked up through `registry.ts`.
 *
 * To add an aspect: its record name in RECORDS, its name in the list of the entity types that carry it; if it is made of
 * events in time, in TIMESERIES; if it points to other entities, its paths in RELATIONSHIPS.
 */

/** Entity type: key aspect, the key record's fields in the order of the URN's parts, and the aspects. */
export const ENTITIES: Readonly<
  Record<string, { readonly key: string; readonly fields: string; readonly aspects: string }>
> = {
  agentSkill: {
    key: 'agentSkillKey',
    fields: 'id',
    aspects: `
      agentSkillInfo dataPlatformInstance domains globalTags glossaryTerms institutionalMemory ownership
      semanticContent status structuredProperties versionProperties`,
  },
  aiAgent: {
    key: 'aiAgentKey',
    fields: 'id',
    aspects: `
      aiAgentDependencies aiAgentInfo dataPlatformInstance displayProperties domains globalTags
      glossaryTerms incidentsSummary institutionalMemory ownership semanticContent status
      structuredProperties upstreamLineage versionProperties`,
  },
  api: {
    key: 'apiKey',
    fields: 'id',
    aspects: `
      apiProperties apiSignature dataPlatformInstance domains globalTags glossaryTerms
      institutionalMemory ownership restApiProperties semanticContent status structuredProperties
      subTypes versionProperties`,
  },
  application: {
    key: 'applicationKey',
    fields: 'id',
    aspects: `
      applicationLineage applicationProperties domains forms globalTags glossaryTerms
      institutionalMemory ownership status structuredProperties subTypes testResults`,
  },
  assertion: {
    key: 'assertionKey',
    fields: 'assertionId',
    aspects: `
      assertionActions assertionInfo assertionNote assertionRunEvent assertionRunSummary
      dataPlatformInstance globalTags ownership status`,
  },
  businessAttribute: {
    key: 'businessAttributeKey',
    fields: 'id',
    aspects: `
      businessAttributeInfo institutionalMemory ownership status`,
  },
  chart: {
    key: 'chartKey',
    fields: 'dashboardTool chartId',
    aspects: `
      applications browsePaths browsePathsV2 chartInfo chartQuery chartUsageStatistics container
      dataPlatformInstance dataProducts deprecation documentation domains editableChartProperties embed
      forms globalTags glossaryTerms incidentsSummary inputFields institutionalMemory ownership status
      structuredProperties subTypes testResults upstreamMetrics`,
  },
  container: {
    key: 'containerKey',
    fields: 'guid',
    aspects: `
      access applications browsePaths browsePathsV2 container containerProperties dataPlatformInstance
      dataProducts deprecation documentation domains editableContainerProperties forms globalTags
      glossaryTerms institutionalMemory ownership status structuredProperties subTypes testResults`,
  },
  corpGroup: {
    key: 'corpGroupKey',
    fields: 'name',
    aspects: `
      corpGroupEditableInfo corpGroupInfo forms globalTags origin ownership roleMembership status
      structuredProperties subTypes testResults`,
  },
  corpuser: {
    key: 'corpUserKey',
    fields: 'username',
    aspects: `
      corpUserCredentials corpUserEditableInfo corpUserInfo corpUserSettings corpUserStatus forms
      globalTags groupMembership nativeGroupMembership origin roleMembership slackUserInfo status
      structuredProperties subTypes testResults`,
  },
  dashboard: {
    key: 'dashboardKey',
    fields: 'dashboardTool dashboardId',
    aspects: `
      access applications browsePaths browsePathsV2 container dashboardInfo dashboardUsageStatistics
      dataPlatformInstance dataProducts deprecation documentation domains editableDashboardProperties
      embed forms globalTags glossaryTerms incidentsSummary inputFields institutionalMemory ownership
      status structuredProperties subTypes testResults upstreamMetrics`,
  },
  dataContract: {
    key: 'dataContractKey',
    fields: 'id',
    aspects: `
      dataContractProperties dataContractStatus status structuredProperties`,
  },
  dataFlow: {
    key: 'dataFlowKey',
    fields: 'orchestrator flowId cluster',
    aspects: `
      applications browsePaths browsePathsV2 container dataFlowInfo dataPlatformInstance dataProducts
      deprecation documentation domains editableDataFlowProperties forms globalTags glossaryTerms
      incidentsSummary institutionalMemory ownership status structuredProperties subTypes testResults
      versionInfo`,
  },
  dataHubAccessToken: {
    key: 'dataHubAccessTokenKey',
    fields: 'id',
    aspects: `
      dataHubAccessTokenInfo`,
  },
  dataHubAction: {
    key: 'dataHubActionKey',
    fields: 'id',
    aspects: `
`,
  },
  dataHubConnection: {
    key: 'dataHubConnectionKey',
    fields: 'id',
    aspects: `
      dataHubConnectionDetails dataPlatformInstance`,
  },
  dataHubExecutionRequest: {
    key: 'dataHubExecutionRequestKey',
    fields: 'id',
    aspects: `
      dataHubExecutionRequestInput dataHubExecutionRequestResult dataHubExecutionRequestSignal`,
  },
  dataHubFile: {
    key: 'dataHubFileKey',
    fields: 'id',
    aspects: `
      dataHubFileInfo status`,
  },
  dataHubIngestionSource: {
    key: 'dataHubIngestionSourceKey',
    fields: 'id',
    aspects: `
      dataHubIngestionSourceInfo ownership`,
  },
  dataHubOpenAPISchema: {
    key: 'dataHubOpenAPISchemaKey',
    fields: 'id',
    aspects: `
      systemMetadata`,
  },
  dataHubPageModule: {
    key: 'dataHubPageModuleKey',
    fields: 'id',
    aspects: `
      dataHubPageModuleProperties`,
  },
  dataHubPageTemplate: {
    key: 'dataHubPageTemplateKey',
    fields: 'id',
    aspects: `
      dataHubPageTemplateProperties`,
  },
  dataHubPersona: {
    key: 'dataHubPersonaKey',
    fields: 'id',
    aspects: `
      dataHubPersonaInfo`,
  },
  dataHubPolicy: {
    key: 'dataHubPolicyKey',
    fields: 'id',
    aspects: `
      dataHubPolicyInfo`,
  },
  dataHubRetention: {
    key: 'dataHubRetentionKey',
    fields: 'entityName aspectName',
    aspects: `
      dataHubRetentionConfig`,
  },
  dataHubRole: {
    key: 'dataHubRoleKey',
    fields: 'id',
    aspects: `
      dataHubRoleInfo`,
  },
  dataHubSecret: {
    key: 'dataHubSecretKey',
    fields: 'id',
    aspects: `
      dataHubSecretValue`,
  },
  dataHubStepState: {
    key: 'dataHubStepStateKey',
    fields: 'id',
    aspects: `
      dataHubStepStateProperties`,
  },
  dataHubUpgrade: {
    key: 'dataHubUpgradeKey',
    fields: 'id',
    aspects: `
      dataHubUpgradeRequest dataHubUpgradeResult`,
  },
  dataHubView: {
    key: 'dataHubViewKey',
    fields: 'id',
    aspects: `
      dataHubViewInfo`,
  },
  dataJob: {
    key: 'dataJobKey',
    fields: 'flow jobId',
    aspects: `
      applications browsePaths browsePathsV2 container datahubIngestionCheckpoint
      datahubIngestionRunSummary dataJobInfo dataJobInputOutput dataPlatformInstance dataProducts
      dataTransformLogic deprecation documentation domains editableDataJobProperties forms globalTags
      glossaryTerms incidentsSummary institutionalMemory ownership status structuredProperties subTypes
      testResults versionInfo`,
  },
  dataPlatform: {
    key: 'dataPlatformKey',
    fields: 'platformName',
    aspects: `
      dataPlatformInfo`,
  },
  dataPlatformInstance: {
    key: 'dataPlatformInstanceKey',
    fields: 'platform instance',
    aspects: `
      dataPlatformInstanceProperties deprecation globalTags icebergWarehouseInfo institutionalMemory
      ownership status`,
  },
  dataProcess: {
    key: 'dataProcessKey',
    fields: 'name orchestrator origin',
    aspects: `
      dataProcessInfo ownership status subTypes testResults`,
  },
  dataProcessInstance: {
    key: 'dataProcessInstanceKey',
    fields: 'id',
    aspects: `
      container dataPlatformInstance dataProcessInstanceInput dataProcessInstanceOutput
      dataProcessInstanceProperties dataProcessInstanceRelationships dataProcessInstanceRunEvent
      mlTrainingRunProperties status subTypes testResults`,
  },
  dataProduct: {
    key: 'dataProductKey',
    fields: 'id',
    aspects: `
      applications assetSettings dataProductProperties deprecation domains forms globalTags
      glossaryTerms institutionalMemory ownership status structuredProperties subTypes testResults`,
  },
  dataset: {
    key: 'datasetKey',
    fields: 'platform name origin',
    aspects: `
      access aliases applications assetSettings browsePaths browsePathsV2 container dataPlatformInstance
      dataProducts datasetDeprecation datasetProfile datasetProperties datasetUpstreamLineage
      datasetUsageStatistics deprecation documentation domains editableDatasetProperties
      editableSchemaMetadata embed forms globalTags glossaryTerms icebergCatalogInfo incidentsSummary
      institutionalMemory logicalParent operation ownership partitionsSummary schemaMetadata
      semanticModelProperties siblings status storageFeatures structuredProperties subTypes testResults
      upstreamLineage upstreamMetrics usageFeatures versionProperties viewProperties`,
  },
  dataType: {
    key: 'dataTypeKey',
    fields: 'id',
    aspects: `
      dataTypeInfo institutionalMemory status`,
  },
  document: {
    key: 'documentKey',
    fields: 'id',
    aspects: `
      browsePathsV2 dataPlatformInstance dataProducts documentation documentInfo documentSettings
      documentUsageStatistics domains globalTags glossaryTerms institutionalMemory ownership
      semanticContent semanticText status structuredProperties subTypes`,
  },
  domain: {
    key: 'domainKey',
    fields: 'id',
    aspects: `
      assetSettings deprecation displayProperties domainProperties forms institutionalMemory ownership
      structuredProperties testResults`,
  },
  entityType: {
    key: 'entityTypeKey',
    fields: 'id',
    aspects: `
      entityTypeInfo institutionalMemory status`,
  },
  erModelRelationship: {
    key: 'erModelRelationshipKey',
    fields: 'id',
    aspects: `
      editableERModelRelationshipProperties erModelRelationshipProperties globalTags glossaryTerms
      institutionalMemory ownership status`,
  },
  form: {
    key: 'formKey',
    fields: 'id',
    aspects: `
      dynamicFormAssignment formInfo ownership`,
  },
  globalSettings: {
    key: 'globalSettingsKey',
    fields: 'id',
    aspects: `
      globalSettingsInfo`,
  },
  glossaryNode: {
    key: 'glossaryNodeKey',
    fields: 'name',
    aspects: `
      applications assetSettings displayProperties domains forms globalTags glossaryNodeInfo
      institutionalMemory ownership status structuredProperties subTypes testResults`,
  },
  glossaryTerm: {
    key: 'glossaryTermKey',
    fields: 'name',
    aspects: `
      applications assetSettings browsePaths deprecation displayProperties domains forms globalTags
      glossaryRelatedTerms glossaryTermInfo institutionalMemory ownership schemaMetadata status
      structuredProperties subTypes testResults`,
  },
  incident: {
    key: 'incidentKey',
    fields: 'id',
    aspects: `
      globalTags incidentExternalLinks incidentInfo incidentNotes`,
  },
  inviteToken: {
    key: 'inviteTokenKey',
    fields: 'id',
    aspects: `
      inviteToken`,
  },
  lifecycleStageType: {
    key: 'lifecycleStageTypeKey',
    fields: 'id',
    aspects: `
      lifecycleStageTypeInfo status`,
  },
  metric: {
    key: 'metricKey',
    fields: 'platform path id',
    aspects: `
      aiContext applications browsePathsV2 dataPlatformInstance deprecation documentation domains
      globalTags glossaryTerms institutionalMemory metricInfo metricRelationships metricUpstreams
      ownership status structuredProperties subTypes`,
  },
  mlFeature: {
    key: 'mlFeatureKey',
    fields: 'featureNamespace name',
    aspects: `
      applications browsePaths browsePathsV2 dataPlatformInstance dataProducts deprecation documentation
      domains editableMlFeatureProperties forms globalTags glossaryTerms incidentsSummary
      institutionalMemory mlFeatureProperties ownership status structuredProperties subTypes testResults`,
  },
  mlFeatureTable: {
    key: 'mlFeatureTableKey',
    fields: 'platform name',
    aspects: `
      applications browsePaths browsePathsV2 dataPlatformInstance dataProducts deprecation documentation
      domains editableMlFeatureTableProperties forms globalTags glossaryTerms incidentsSummary
      institutionalMemory mlFeatureTableProperties ownership status structuredProperties subTypes
      testResults`,
  },
  mlModel: {
    key: 'mlModelKey',
    fields: 'platform name origin',
    aspects: `
      applications browsePaths browsePathsV2 container cost dataPlatformInstance dataProducts
      deprecation documentation domains editableMlModelProperties forms globalTags glossaryTerms
      incidentsSummary institutionalMemory intendedUse mlModelCaveatsAndRecommendations
      mlModelEthicalConsiderations mlModelEvaluationData mlModelFactorPrompts mlModelMetrics
      mlModelProperties mlModelQuantitativeAnalyses mlModelTrainingData ownership sourceCode status
      structuredProperties subTypes testResults versionProperties`,
  },
  mlModelDeployment: {
    key: 'mlModelDeploymentKey',
    fields: 'platform name origin',
    aspects: `
      container dataPlatformInstance deprecation globalTags mlModelDeploymentProperties ownership status
      testResults`,
  },
  mlModelGroup: {
    key: 'mlModelGroupKey',
    fields: 'platform name origin',
    aspects: `
      applications browsePaths browsePathsV2 container dataPlatformInstance dataProducts deprecation
      documentation domains editableMlModelGroupProperties forms globalTags glossaryTerms
      institutionalMemory mlModelGroupProperties ownership status structuredProperties subTypes
      testResults`,
  },
  mlPrimaryKey: {
    key: 'mlPrimaryKeyKey',
    fields: 'featureNamespace name',
    aspects: `
      applications dataPlatformInstance dataProducts deprecation domains editableMlPrimaryKeyProperties
      forms globalTags glossaryTerms institutionalMemory mlPrimaryKeyProperties ownership status
      structuredProperties subTypes testResults`,
  },
  notebook: {
    key: 'notebookKey',
    fields: 'notebookTool notebookId',
    aspects: `
      applications browsePaths browsePathsV2 dataPlatformInstance dataProducts documentation domains
      editableNotebookProperties globalTags glossaryTerms institutionalMemory notebookContent
      notebookInfo ownership status subTypes testResults`,
  },
  ownershipType: {
    key: 'ownershipTypeKey',
    fields: 'id',
    aspects: `
      ownershipTypeInfo status`,
  },
  platformResource: {
    key: 'platformResourceKey',
    fields: 'id',
    aspects: `
      dataPlatformInstance platformResourceInfo status`,
  },
  post: {
    key: 'postKey',
    fields: 'id',
    aspects: `
      postInfo subTypes`,
  },
  query: {
    key: 'queryKey',
    fields: 'id',
    aspects: `
      dataPlatformInstance queryProperties querySubjects queryUsageStatistics status subTypes`,
  },
  repository: {
    key: 'repositoryKey',
    fields: 'id',
    aspects: `
      browsePathsV2 dataPlatformInstance domains globalTags glossaryTerms institutionalMemory ownership
      repositoryLineage repositoryProperties repositorySource semanticContent status
      structuredProperties subTypes`,
  },
  role: {
    key: 'roleKey',
    fields: 'id',
    aspects: `
      actors roleProperties`,
  },
  schemaField: {
    key: 'schemaFieldKey',
    fields: 'parent fieldPath',
    aspects: `
      aiContext businessAttributes deprecation documentation domains forms globalTags glossaryTerms
      incidentsSummary logicalParent ownership schemaFieldAliases schemafieldInfo
      semanticFieldAnnotation status structuredProperties subTypes testResults`,
  },
  searchTemplate: {
    key: 'searchTemplateKey',
    fields: 'id',
    aspects: `
      searchTemplateProperties`,
  },
  semanticModel: {
    key: 'semanticModelKey',
    fields: 'platform path id',
    aspects: `
      aiContext applications browsePathsV2 dataPlatformInstance deprecation documentation domains
      globalTags glossaryTerms institutionalMemory ownership semanticModelInfo status
      structuredProperties subTypes upstreamLineage`,
  },
  service: {
    key: 'serviceKey',
    fields: 'id',
    aspects: `
      dataPlatformInstance globalTags incidentsSummary mcpServerProperties ownership semanticContent
      serviceDefinition serviceProperties status subTypes`,
  },
  structuredProperty: {
    key: 'structuredPropertyKey',
    fields: 'id',
    aspects: `
      institutionalMemory propertyDefinition status structuredPropertySettings`,
  },
  tag: {
    key: 'tagKey',
    fields: 'name',
    aspects: `
      deprecation ownership status tagProperties testResults`,
  },
  telemetry: {
    key: 'telemetryKey',
    fields: 'name',
    aspects: `
      telemetryClientId`,
  },
  test: {
    key: 'testKey',
    fields: 'id',
    aspects: `
      testInfo`,
  },
  versionSet: {
    key: 'versionSetKey',
    fields: 'id entityType',
    aspects: `
      versionSetProperties`,
  },
}

/** Aspect, its record name by package. A key aspect that is not listed is `com.linkedin.metadata.key.<Name>`. */
export const RECORDS: Readonly<Record<string, string>> = {
  'com.linkedin.access.token': `
    dataHubAccessTokenInfo`,
  'com.linkedin.agent': `
    aiAgentDependencies=AIAgentDependencies aiAgentInfo=AIAgentInfo`,
  'com.linkedin.agentskill': `
    agentSkillInfo`,
  'com.linkedin.api': `
    apiProperties apiSignature restApiProperties`,
  'com.linkedin.application': `
    applicationKey applicationLineage applicationProperties applications`,
  'com.linkedin.assertion': `
    assertionActions assertionInfo assertionNote assertionRunEvent assertionRunSummary`,
  'com.linkedin.businessattribute': `
    businessAttributeInfo businessAttributeKey businessAttributes`,
  'com.linkedin.chart': `
    chartInfo chartQuery chartUsageStatistics editableChartProperties`,
  'com.linkedin.common': `
    access aiContext aliases browsePaths browsePathsV2 cost dataPlatformInstance dataTransformLogic
    deprecation displayProperties documentation embed forms globalTags glossaryTerms incidentsSummary
    inputFields institutionalMemory operation origin ownership semanticContent semanticText siblings
    status subTypes upstreamMetrics versionProperties`,
  'com.linkedin.connection': `
    dataHubConnectionDetails`,
  'com.linkedin.container': `
    container containerProperties editableContainerProperties`,
  'com.linkedin.dashboard': `
    dashboardInfo dashboardUsageStatistics editableDashboardProperties`,
  'com.linkedin.datacontract': `
    dataContractProperties dataContractStatus`,
  'com.linkedin.datajob': `
    dataFlowInfo dataJobInfo dataJobInputOutput editableDataFlowProperties editableDataJobProperties
    versionInfo`,
  'com.linkedin.datajob.datahub': `
    datahubIngestionCheckpoint datahubIngestionRunSummary`,
  'com.linkedin.dataplatform': `
    dataPlatformInfo`,
  'com.linkedin.dataplatform.slack': `
    slackUserInfo`,
  'com.linkedin.dataplatforminstance': `
    dataPlatformInstanceProperties icebergWarehouseInfo`,
  'com.linkedin.dataprocess': `
    dataProcessInfo dataProcessInstanceInput dataProcessInstanceOutput dataProcessInstanceProperties
    dataProcessInstanceRelationships dataProcessInstanceRunEvent`,
  'com.linkedin.dataproduct': `
    dataProductKey dataProductProperties dataProducts`,
  'com.linkedin.dataset': `
    datasetDeprecation datasetProfile datasetProperties datasetUpstreamLineage datasetUsageStatistics
    editableDatasetProperties icebergCatalogInfo partitionsSummary semanticModelProperties upstreamLineage
    viewProperties`,
  'com.linkedin.datatype': `
    dataTypeInfo dataTypeKey`,
  'com.linkedin.domain': `
    domainProperties domains`,
  'com.linkedin.entitytype': `
    entityTypeInfo entityTypeKey`,
  'com.linkedin.ermodelrelation': `
    editableERModelRelationshipProperties erModelRelationshipProperties=ERModelRelationshipProperties`,
  'com.linkedin.execution': `
    dataHubExecutionRequestInput=ExecutionRequestInput
    dataHubExecutionRequestResult=ExecutionRequestResult
    dataHubExecutionRequestSignal=ExecutionRequestSignal`,
  'com.linkedin.file': `
    dataHubFileInfo`,
  'com.linkedin.form': `
    dynamicFormAssignment formInfo`,
  'com.linkedin.glossary': `
    glossaryNodeInfo glossaryRelatedTerms glossaryTermInfo`,
  'com.linkedin.identity': `
    corpGroupEditableInfo corpGroupInfo corpUserCredentials corpUserEditableInfo corpUserInfo
    corpUserSettings corpUserStatus groupMembership inviteToken nativeGroupMembership roleMembership`,
  'com.linkedin.incident': `
    incidentExternalLinks incidentInfo incidentNotes incidentSource`,
  'com.linkedin.ingestion': `
    dataHubIngestionSourceInfo`,
  'com.linkedin.knowledge': `
    documentInfo documentSettings documentUsageStatistics`,
  'com.linkedin.lifecycle': `
    lifecycleStageTypeInfo`,
  'com.linkedin.logical': `
    logicalParent`,
  'com.linkedin.metadata.key': `
    aiAgentKey=AIAgentKey dataHubExecutionRequestKey=ExecutionRequestKey
    erModelRelationshipKey=ERModelRelationshipKey mlFeatureKey=MLFeatureKey
    mlFeatureTableKey=MLFeatureTableKey mlModelDeploymentKey=MLModelDeploymentKey
    mlModelGroupKey=MLModelGroupKey mlModelKey=MLModelKey mlPrimaryKeyKey=MLPrimaryKeyKey`,
  'com.linkedin.metadata.search.features': `
    storageFeatures usageFeatures`,
  'com.linkedin.metric': `
    metricInfo metricRelationships metricUpstreams`,
  'com.linkedin.ml.metadata': `
    editableMlFeatureProperties=EditableMLFeatureProperties
    editableMlFeatureTableProperties=EditableMLFeatureTableProperties
    editableMlModelGroupProperties=EditableMLModelGroupProperties
    editableMlModelProperties=EditableMLModelProperties
    editableMlPrimaryKeyProperties=EditableMLPrimaryKeyProperties intendedUse
    mlFeatureProperties=MLFeatureProperties mlFeatureTableProperties=MLFeatureTableProperties
    mlHyperParam=MLHyperParam mlMetric=MLMetric mlModelCaveatsAndRecommendations=CaveatsAndRecommendations
    mlModelDeploymentProperties=MLModelDeploymentProperties
    mlModelEthicalConsiderations=EthicalConsiderations mlModelEvaluationData=EvaluationData
    mlModelFactorPrompts=MLModelFactorPrompts mlModelGroupProperties=MLModelGroupProperties
    mlModelMetrics=Metrics mlModelProperties=MLModelProperties
    mlModelQuantitativeAnalyses=QuantitativeAnalyses mlModelTrainingData=TrainingData
    mlPrimaryKeyProperties=MLPrimaryKeyProperties mlTrainingRunProperties=MLTrainingRunProperties
    sourceCode`,
  'com.linkedin.module': `
    dataHubPageModuleProperties`,
  'com.linkedin.mxe': `
    systemMetadata`,
  'com.linkedin.notebook': `
    editableNotebookProperties notebookContent notebookInfo`,
  'com.linkedin.ownership': `
    ownershipTypeInfo`,
  'com.linkedin.persona': `
    dataHubPersonaInfo`,
  'com.linkedin.platformresource': `
    platformResourceInfo platformResourceKey`,
  'com.linkedin.policy': `
    dataHubPolicyInfo dataHubRoleInfo`,
  'com.linkedin.post': `
    postInfo`,
  'com.linkedin.query': `
    queryProperties querySubjects queryUsageStatistics`,
  'com.linkedin.repository': `
    repositoryKey repositoryLineage repositoryProperties repositorySource`,
  'com.linkedin.retention': `
    dataHubRetentionConfig`,
  'com.linkedin.role': `
    actors roleProperties`,
  'com.linkedin.schema': `
    editableSchemaMetadata schemaMetadata`,
  'com.linkedin.schemafield': `
    schemaFieldAliases schemafieldInfo=SchemaFieldInfo`,
  'com.linkedin.search.template': `
    searchTemplateProperties`,
  'com.linkedin.secret': `
    dataHubSecretValue`,
  'com.linkedin.semanticmodel': `
    semanticFieldAnnotation semanticModelInfo`,
  'com.linkedin.service': `
    mcpServerProperties serviceDefinition serviceKey serviceProperties`,
  'com.linkedin.settings.asset': `
    assetSettings`,
  'com.linkedin.settings.global': `
    globalSettingsInfo`,
  'com.linkedin.step': `
    dataHubStepStateProperties`,
  'com.linkedin.structured': `
    propertyDefinition=StructuredPropertyDefinition structuredProperties structuredPropertyKey
    structuredPropertySettings`,
  'com.linkedin.tag': `
    tagProperties`,
  'com.linkedin.telemetry': `
    telemetryClientId`,
  'com.linkedin.template': `
    dataHubPageTemplateProperties`,
  'com.linkedin.test': `
    testInfo testResults`,
  'com.linkedin.upgrade': `
    dataHubUpgradeRequest dataHubUpgradeResult`,
  'com.linkedin.versionset': `
    versionSetProperties`,
  'com.linkedin.view': `
    dataHubViewInfo`,
}

/** Aspects that are events in time, not versions of one value (contract §3.6). */
export const TIMESERIES = `
  assertionRunEvent chartUsageStatistics dashboardUsageStatistics dataProcessInstanceRunEvent
  datahubIngestionCheckpoint datahubIngestionRunSummary datasetProfile datasetUsageStatistics
  documentUsageStatistics operation queryUsageStatistics`

/**
 * Fields that point to other entities: aspect, path (`*` is every item), name of the relationship, and for lineage the
 * side on which the other entity stands: `upstream` when this entity is made from it, `downstream` when it is made from this one.
 */
export const RELATIONSHIPS: readonly (readonly [
  aspect: string,
  path: string,
  type: string,
  lineage?: 'upstream' | 'downstream',
])[] = [
  ['access', '/roles/*/urn', 'AssociatedWith'],
  ['actors', '/users/*/user', 'Has'],
  ['actors', '/groups/*/group', 'Has'],
  ['agentSkillInfo', '/requiredTools/*', 'SkillRequiresTool'],
  ['aiAgentDependencies', '/skills/*', 'AgentHasSkill'],
  ['aiAgentDependencies', '/tools/*', 'AgentUsesTool', 'upstream'],
  ['aiAgentDependencies', '/models/*', 'AgentUsesModel'],
  ['aiAgentInfo', '/source/clonedFrom', 'ClonedFromAgent'],
  ['apiProperties', '/sourceRepository', 'SourcedFrom', 'upstream'],
  ['apiSignature', '/inputFields/*/globalTags/tags/*/tag', 'SchemaFieldTaggedWith'],
  ['apiSignature', '/inputFields/*/glossaryTerms/terms/*/urn', 'SchemaFieldWithGlossaryTerm'],
  ['apiSignature', '/outputFields/*/globalTags/tags/*/tag', 'SchemaFieldTaggedWith'],
  ['apiSignature', '/outputFields/*/glossaryTerms/terms/*/urn', 'SchemaFieldWithGlossaryTerm'],
  ['apiSignature', '/inputDatasetEdges/*/destinationUrn', 'Consumes', 'upstream'],
  ['apiSignature', '/outputDatasetEdges/*/destinationUrn', 'Produces', 'downstream'],
  ['applicationLineage', '/inputEdges/*/destinationUrn', 'Consumes', 'upstream'],
  ['applicationLineage', '/outputEdges/*/destinationUrn', 'Produces', 'downstream'],
  ['applicationProperties', '/parentApplication', 'ApplicationPartOf'],
  ['applications', '/applications/*', 'AssociatedWith'],
  ['assertionInfo', '/datasetAssertion/dataset', 'Asserts'],
  ['assertionInfo', '/datasetAssertion/fields/*', 'Asserts'],
  ['assertionInfo', '/freshnessAssertion/entity', 'Asserts'],
  ['assertionInfo', '/volumeAssertion/entity', 'Asserts'],
  ['assertionInfo', '/sqlAssertion/entity', 'Asserts'],
  ['assertionInfo', '/fieldAssertion/entity', 'Asserts'],
  ['assertionInfo', '/schemaAssertion/entity', 'Asserts'],
  ['assertionInfo', '/schemaAssertion/schema/fields/*/globalTags/tags/*/tag', 'SchemaFieldTaggedWith'],
  ['assertionInfo', '/schemaAssertion/schema/fields/*/glossaryTerms/terms/*/urn', 'SchemaFieldWithGlossaryTerm'],
  ['assertionInfo', '/schemaAssertion/schema/foreignKeys/*/foreignFields/*', 'ForeignKeyTo'],
  ['assertionInfo', '/schemaAssertion/schema/foreignKeys/*/foreignDataset', 'ForeignKeyToDataset'],
  ['assertionInfo', '/customAssertion/entity', 'Asserts'],
  ['assertionInfo', '/customAssertion/field', 'Asserts'],
  ['assertionInfo', '/customAssertion/fields/*', 'Asserts'],
  ['assetSettings', '/assetSummary/templates/*/template', 'HasSummaryTemplate'],
  ['businessAttributeInfo', '/globalTags/tags/*/tag', 'EditableSchemaFieldTaggedWith'],
  ['businessAttributeInfo', '/glossaryTerms/terms/*/urn', 'EditableSchemaFieldWithGlossaryTerm'],
  ['businessAttributes', '/businessAttribute/businessAttributeUrn', 'BusinessAttributeOf'],
  ['chartInfo', '/inputs/*/string', 'Consumes', 'upstream'],
  ['chartInfo', '/inputEdges/*/destinationUrn', 'Consumes', 'upstream'],
  ['container', '/container', 'IsPartOf'],
  ['corpGroupInfo', '/members/*', 'IsPartOf'],
  ['corpGroupInfo', '/groups/*', 'IsPartOf'],
  ['corpUserEditableInfo', '/platforms/*', 'IsUserOf'],
  ['corpUserEditableInfo', '/persona', 'IsPersona'],
  ['corpUserInfo', '/managerUrn', 'ReportsTo'],
  ['corpUserSettings', '/homePage/pageTemplate', 'HasPersonalPageTemplate'],
  ['dashboardInfo', '/charts/*', 'Contains', 'upstream'],
  ['dashboardInfo', '/chartEdges/*/destinationUrn', 'Contains', 'upstream'],
  ['dashboardInfo', '/datasets/*', 'Consumes', 'upstream'],
  ['dashboardInfo', '/datasetEdges/*/destinationUrn', 'Consumes', 'upstream'],
  ['dashboardInfo', '/dashboards/*/destinationUrn', 'DashboardContainsDashboard', 'upstream'],
  ['dataContractProperties', '/entity', 'ContractFor'],
  ['dataContractProperties', '/schema/*/assertion', 'IncludesSchemaAssertion'],
  ['dataContractProperties', '/freshness/*/assertion', 'IncludesFreshnessAssertion'],
  ['dataContractProperties', '/dataQuality/*/assertion', 'IncludesDataQualityAssertion'],
  ['dataHubExecutionRequestInput', '/source/ingestionSource', 'ingestionSource'],
  ['dataHubFileInfo', '/referencedByAsset', 'ReferencedBy'],
  ['dataHubFileInfo', '/schemaField', 'ReferencedBy'],
  ['dataHubPageTemplateProperties', '/rows/*/modules/*', 'ContainedIn'],
  [
    'dataHubPageTemplateProperties',
    '/assetSummary/summaryElements/*/structuredPropertyUrn',
    'ContainsStructuredProperty',
  ],
  ['dataHubPolicyInfo', '/actors/roles/*', 'IsAssociatedWithRole'],
  ['dataJobInputOutput', '/inputDatasets/*', 'Consumes', 'upstream'],
  ['dataJobInputOutput', '/inputDatasetEdges/*/destinationUrn', 'Consumes', 'upstream'],
  ['dataJobInputOutput', '/outputDatasets/*', 'Produces', 'downstream'],
  ['dataJobInputOutput', '/outputDatasetEdges/*/destinationUrn', 'Produces', 'downstream'],
  ['dataJobInputOutput', '/inputDatajobs/*', 'DownstreamOf', 'upstream'],
  ['dataJobInputOutput', '/inputDatajobEdges/*/destinationUrn', 'DownstreamOf', 'upstream'],
  ['dataJobInputOutput', '/inputDatasetFields/*', 'Consumes'],
  ['dataJobInputOutput', '/outputDatasetFields/*', 'Produces'],
  ['dataProcessInfo', '/inputs/*', 'Consumes', 'upstream'],
  ['dataProcessInfo', '/outputs/*', 'Consumes', 'upstream'],
  ['dataProcessInstanceInput', '/inputs/*', 'Consumes'],
  ['dataProcessInstanceInput', '/inputEdges/*/destinationUrn', 'DataProcessInstanceConsumes', 'upstream'],
  ['dataProcessInstanceOutput', '/outputs/*', 'Produces'],
  ['dataProcessInstanceOutput', '/outputEdges/*/destinationUrn', 'DataProcessInstanceProduces', 'downstream'],
  ['dataProcessInstanceRelationships', '/parentTemplate', 'InstanceOf'],
  ['dataProcessInstanceRelationships', '/parentInstance', 'ChildOf'],
  ['dataProcessInstanceRelationships', '/upstreamInstances/*', 'UpstreamOf'],
  ['dataProductProperties', '/assets/*/destinationUrn', 'DataProductContains'],
  ['dataProductProperties', '/parentDataProduct', 'IsPartOf'],
  ['documentInfo', '/relatedAssets/*/asset', 'RelatedAsset'],
  ['documentInfo', '/relatedDocuments/*/document', 'RelatedDocument'],
  ['documentInfo', '/parentDocument/document', 'IsChildOf'],
  ['domainProperties', '/parentDomain', 'IsPartOf'],
  ['domains', '/domains/*', 'AssociatedWith'],
  ['editableSchemaMetadata', '/editableSchemaFieldInfo/*/globalTags/tags/*/tag', 'EditableSchemaFieldTaggedWith'],
  [
    'editableSchemaMetadata',
    '/editableSchemaFieldInfo/*/glossaryTerms/terms/*/urn',
    'EditableSchemaFieldWithGlossaryTerm',
  ],
  ['erModelRelationshipProperties', '/source', 'ermodelrelationA'],
  ['erModelRelationshipProperties', '/destination', 'ermodelrelationB'],
  ['formInfo', '/actors/ownershipTypes/*', 'FormAssignedToOwnershipType'],
  ['globalSettingsInfo', '/views/defaultView', 'viewedWith'],
  ['globalTags', '/tags/*/tag', 'TaggedWith'],
  ['glossaryNodeInfo', '/parentNode', 'IsPartOf'],
  ['glossaryRelatedTerms', '/isRelatedTerms/*', 'IsA'],
  ['glossaryRelatedTerms', '/hasRelatedTerms/*', 'HasA'],
  ['glossaryRelatedTerms', '/values/*', 'HasValue'],
  ['glossaryRelatedTerms', '/relatedTerms/*', 'IsRelatedTo'],
  ['glossaryTermInfo', '/parentNode', 'IsPartOf'],
  ['glossaryTerms', '/terms/*/urn', 'TermedWith'],
  ['groupMembership', '/groups/*', 'IsMemberOfGroup'],
  ['incidentInfo', '/entities/*', 'IncidentOn'],
  ['incidentsSummary', '/resolvedIncidentDetails/*/urn', 'ResolvedIncidents'],
  ['incidentsSummary', '/activeIncidentDetails/*/urn', 'ActiveIncidents'],
  ['inputFields', '/fields/*/schemaFieldUrn', 'consumesField'],
  ['inputFields', '/fields/*/schemaField/globalTags/tags/*/tag', 'SchemaFieldTaggedWith'],
  ['inputFields', '/fields/*/schemaField/glossaryTerms/terms/*/urn', 'SchemaFieldWithGlossaryTerm'],
  ['logicalParent', '/parent/destinationUrn', 'PhysicalInstanceOf'],
  ['metricInfo', '/semanticModel', 'ModeledBy'],
  ['metricRelationships', '/parentMetric', 'IsPartOf'],
  ['metricRelationships', '/derivedFrom/*/destinationUrn', 'DerivedFrom', 'upstream'],
  ['metricRelationships', '/relatedMetrics/*/destinationUrn', 'RelatedTo'],
  ['metricUpstreams', '/datasetUpstreams/*/destinationUrn', 'Consumes', 'upstream'],
  ['metricUpstreams', '/fieldUpstreams/*/destinationUrn', 'Consumes'],
  ['mlFeatureProperties', '/sources/*', 'DerivedFrom', 'upstream'],
  ['mlFeatureTableProperties', '/mlFeatures/*', 'Contains'],
  ['mlFeatureTableProperties', '/mlPrimaryKeys/*', 'KeyedBy'],
  ['mlModelGroupProperties', '/trainingJobs/*', 'TrainedBy', 'upstream'],
  ['mlModelGroupProperties', '/downstreamJobs/*', 'UsedBy', 'downstream'],
  ['mlModelProperties', '/trainingJobs/*', 'TrainedBy', 'upstream'],
  ['mlModelProperties', '/downstreamJobs/*', 'UsedBy', 'downstream'],
  ['mlModelProperties', '/mlFeatures/*', 'Consumes', 'upstream'],
  ['mlModelProperties', '/deployments/*', 'DeployedTo'],
  ['mlModelProperties', '/groups/*', 'MemberOf', 'downstream'],
  ['mlPrimaryKeyProperties', '/sources/*', 'DerivedFrom', 'upstream'],
  ['nativeGroupMembership', '/nativeGroups/*', 'IsMemberOfNativeGroup'],
  ['ownership', '/owners/*/owner', 'OwnedBy'],
  ['ownership', '/owners/*/typeUrn', 'ownershipType'],
  ['postInfo', '/target', 'PostTarget'],
  ['propertyDefinition', '/entityTypes/*', 'StructuredPropertyOf'],
  ['repositoryLineage', '/forkOf', 'RepositoryForkOf', 'upstream'],
  ['roleMembership', '/roles/*', 'IsMemberOfRole'],
  ['schemaMetadata', '/fields/*/globalTags/tags/*/tag', 'SchemaFieldTaggedWith'],
  ['schemaMetadata', '/fields/*/glossaryTerms/terms/*/urn', 'SchemaFieldWithGlossaryTerm'],
  ['schemaMetadata', '/foreignKeys/*/foreignFields/*', 'ForeignKeyTo'],
  ['schemaMetadata', '/foreignKeys/*/foreignDataset', 'ForeignKeyToDataset'],
  ['searchTemplateProperties', '/parent', 'IsPartOf'],
  ['semanticModelProperties', '/semanticModel', 'IsPartOf'],
  ['serviceProperties', '/apis/*', 'ServiceComposesApi', 'downstream'],
  ['serviceProperties', '/sourceRepository', 'SourcedFrom', 'upstream'],
  ['siblings', '/siblings/*', 'SiblingOf'],
  ['slackUserInfo', '/slackInstance', 'PartOfSlackWorkspace'],
  ['testResults', '/failing/*/test', 'IsFailing'],
  ['testResults', '/passing/*/test', 'IsPassing'],
  ['upstreamLineage', '/upstreams/*/dataset', 'DownstreamOf', 'upstream'],
  ['upstreamLineage', '/fineGrainedLineages/*/upstreams/*', 'DownstreamOf'],
  ['upstreamMetrics', '/metrics/*/destinationUrn', 'ConsumesMetric', 'upstream'],
  ['versionProperties', '/versionSet', 'VersionOf'],
]
