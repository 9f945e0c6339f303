/** Forms and the entities that are asked to fill them in (contract §9.3). */
import { objectsOf, type JsonObject } from '../../model/json.ts'
import { aspectNamed, entityTypeNamed, carries, type AspectType } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import { BadRequestError, EntityNotFoundError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { Reading } from '../read/read.ts'
import type { Change, View } from '../write/write.ts'

export interface Forms {
  /** Asks entities to fill in a form, all or none; one that was asked already stays as it is. @throws EntityNotFoundError */
  assign(form: Urn, entities: readonly Urn[], actor: Urn): Promise<void>
  /** Keeps with the form which entities it is meant for. @param filter `{or: [{and: [criterion]}]}` @throws EntityNotFoundError */
  assignByFilter(form: Urn, filter: JsonObject, actor: Urn): Promise<void>
}

export function createForms(ports: Ports, reading: Reading): Forms {
  async function mustExist(urn: Urn, view: View): Promise<void> {
    if (await view.exists(urn)) return
    throw new EntityNotFoundError(`Failed to assign the form: ${urn} does not exist.`, urn, await reading.near(urn))
  }

  return {
    async assign(form, entities, actor) {
      const unfit = entities.find((urn) => !takesForms(urn))
      if (unfit !== undefined) throw new BadRequestError(`${unfit} is of a type that has no forms`)
      await ports.write({
        actor,
        reads: { entities: [form, ...entities], aspects: [{ urn: form, name: 'formInfo' }] },
        mentions: [form],
        async check(view) {
          for (const urn of [form, ...entities]) await mustExist(urn, view)
        },
        changes: [...new Set(entities)].map((urn) => assignment(urn, form, { time: ports.clock.now(), actor })),
      })
    },

    async assignByFilter(form, filter, actor) {
      await ports.write({
        actor,
        reads: { entities: [form] },
        check: (view) => mustExist(form, view),
        changes: [
          {
            urn: form,
            aspect: aspectNamed('dynamicFormAssignment') as AspectType,
            next: (stored) => ({ ...stored?.value, filter }),
          },
        ],
      })
    },
  }
}

function takesForms(urn: Urn): boolean {
  const type = entityTypeNamed(entityTypeOf(urn))
  return type !== undefined && carries(type, 'forms')
}

/** The form is incomplete to begin with, and so are all of its prompts. */
function assignment(urn: Urn, form: Urn, stamp: JsonObject): Change {
  return {
    urn,
    aspect: aspectNamed('forms') as AspectType,
    async next(stored, view) {
      const incomplete = objectsOf(stored?.value.incompleteForms)
      const completed = objectsOf(stored?.value.completedForms)
      if ([...incomplete, ...completed].some((one) => one.urn === form)) return undefined
      const prompts = objectsOf((await view.aspect(form, 'formInfo'))?.value.prompts)
      const incompletePrompts = prompts.map(({ id }) => ({ id: id ?? '', lastModified: stamp }))
      const added = { urn: form, incompletePrompts, completedPrompts: [], created: stamp }
      return {
        verifications: [],
        ...stored?.value,
        incompleteForms: [...incomplete, added],
        completedForms: completed,
      }
    },
  }
}
