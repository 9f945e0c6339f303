import { entityTypeNamed, entityTypes } from '../../model/registry/registry.ts'

/** Names in the enum EntityType that do not follow from the rule below (contract §9.5). */
const SPECIAL: Readonly<Record<string, string>> = {
  corpuser: 'CORP_USER',
  mlModel: 'MLMODEL',
  mlModelGroup: 'MLMODEL_GROUP',
  mlModelDeployment: 'MLMODEL_DEPLOYMENT',
  mlFeature: 'MLFEATURE',
  mlFeatureTable: 'MLFEATURE_TABLE',
  mlPrimaryKey: 'MLPRIMARY_KEY',
}

/** What stands for types that are not in the registry. */
const OTHER = 'OTHER'

/** `schemaField` → `SCHEMA_FIELD`; a leading `DATA_HUB_` is dropped. */
export function enumNameOf(entityType: string): string {
  const name = entityTypeNamed(entityType)?.name
  if (name === undefined) return OTHER
  const special = SPECIAL[name]
  if (special !== undefined) return special
  const upper = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase()
  return upper.replace(/^DATA_HUB_/, '')
}

const BY_ENUM_NAME = new Map(entityTypes().map((type) => [enumNameOf(type.name), type.name]))

/** The entity type of an enum name; undefined where there is none. */
export function entityTypeOfEnum(name: string): string | undefined {
  return BY_ENUM_NAME.get(name)
}

/** All members of the enum. */
export function enumNames(): readonly string[] {
  return [...BY_ENUM_NAME.keys(), OTHER]
}
