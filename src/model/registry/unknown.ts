/** What to say of a name that the registry does not know: always with the nearest one that it does. */
import { didYouMean } from '../near.ts'
import { aspectNamed, entityTypes, type EntityType } from './registry.ts'

/** Longest part of a wrong name that is said back. */
const SHOWN = 100

export function unknownEntityType(name: string): string {
  const names = entityTypes().map((type) => type.name)
  return `there is no entity type ${name.slice(0, SHOWN)}${didYouMean(name.slice(0, SHOWN), names)}`
}

/** @param kind which aspects would do; all of the entity type when absent */
export function unknownAspect(type: EntityType, name: string, kind?: 'timeseries'): string {
  const all = [type.keyAspect, ...type.aspects]
  const fitting = kind === undefined ? all : all.filter((one) => aspectNamed(one)?.kind === kind)
  const wanted = kind === undefined ? 'aspect' : `${kind} aspect`
  return `${type.name} has no ${wanted} ${name.slice(0, SHOWN)}${didYouMean(name.slice(0, SHOWN), fitting)}`
}
