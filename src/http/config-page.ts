/** `GET /config`: what clients read before anything else (contract §1.1). */
import type { JsonObject } from '../model/json.ts'

/**
 * The version decides which features clients switch on: from 1.0.1 on they may write over OpenAPI and follow traces.
 * `noCode` must be this very string. There is no commit: with one, clients would cache our schema on disk by it.
 */
export const CONFIG_PAGE: JsonObject = {
  noCode: 'true',
  retention: 'true',
  statefulIngestionCapable: true,
  patchCapable: true,
  supportsImpactAnalysis: true,
  timeZone: 'UTC',
  datasetUrnNameCasing: false,
  models: {},
  versions: { 'acryldata/datahub': { version: 'v1.1.0' } },
  managedIngestion: { enabled: false, defaultCliVersion: '1.1.0' },
  datahub: { serverType: 'prod', serverEnv: 'core' },
  telemetry: { enabledCli: false, enabledIngestion: false },
  // Beyond the contract: what a client may rely on here and not elsewhere (docs/contract.md).
  headwater: {
    abilities: [
      'truncate-strictly-older',
      'truncate-by-platform',
      'cancel-task',
      'stream-timeseries',
      'export',
      'restate',
      'conditions',
    ],
  },
}
