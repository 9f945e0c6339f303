/** The shape of `config/schedules.yaml`: which job runs when, with which input. */
import { Type, type Static } from 'typebox'
import type { JsonObject } from '../model/json.ts'

const Schedule = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]*$',
      description: 'Name of the schedule; with the slot it is the id of each run. Never reuse one for something else.',
    }),
    cron: Type.String({ minLength: 9, description: 'Five or six fields: [second] minute hour day month weekday.' }),
    timeZone: Type.String({ default: 'UTC', description: 'IANA name, for example Europe/Berlin.' }),
    job: Type.String({ minLength: 1, description: 'Name of the job.' }),
    input: Type.Unsafe<JsonObject>(
      Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        description:
          'Input of the job, as its help lists it. Relative paths start at the folder above the configuration folder; an address holds its secrets as ${HEADWATER_SOURCE_NAME}.',
      }),
    ),
    apply: Type.Boolean({
      default: false,
      description: 'Carry the plan out as far as the gate lets it; without it a job that plans by hand only plans.',
    }),
    catchUp: Type.Enum(['none', 'latest', 'all'], {
      default: 'latest',
      description: 'Slots missed while nothing ran: drop them, run the last one, or run all (at most catchUpMax).',
    }),
    catchUpMax: Type.Integer({
      default: 24,
      minimum: 1,
      maximum: 1000,
      description: 'Most slots that `all` makes up for.',
    }),
    overlap: Type.Enum(['skip', 'queue', 'cancel-old', 'allow'], {
      default: 'skip',
      description:
        'When the last run is still going: skip this slot, run it afterwards, cancel the old run first, or run both.',
    }),
    resources: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'Names of what the run needs for itself: runs that share one never run together.',
    }),
    enabled: Type.Boolean({ default: true }),
  },
  { additionalProperties: false },
)

export const SchedulesFile = Type.Object(
  { schedules: Type.Array(Schedule, { default: [] }) },
  { additionalProperties: false, title: 'Headwater schedules' },
)
export type SchedulesFile = Static<typeof SchedulesFile>
export type ScheduleEntry = SchedulesFile['schedules'][number]
