import { asUrn } from '../model/urn.ts'

/** Who acts where calls carry no person: everyone on an open loopback, and the holder of the service's one token. */
export const SERVICE_ACTOR = asUrn('urn:li:corpuser:datahub')
