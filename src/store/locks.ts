/** Keys of PostgreSQL's advisory locks, all in one place: two parts with one key would wait for each other. */
export const LOCK = {
  /** One process migrates the schema. */
  migration: 4_812_001,
  /** Taken by every writer of the change log with its row and held until it commits, so that seq grows in that order. */
  lineageLog: 4_812_002,
  /** Taken while timeseries tables are made, so that two first writers do not clash. */
  timeseriesTables: 4_812_003,
  /** With a task's number: held by whoever works on it; when it is free, nobody does. */
  task: 4_812_004,
  /** Held by the process that carries out accepted writes, so that they keep their order. */
  accepted: 4_812_012,
  /** With the hash of a table's name: held by whoever rebuilds it. */
  rebuild: 4_812_015,
  /** Runs take their resources one at a time. */
  runResources: 4_812_021,
  /** News become notices once. */
  notices: 4_812_022,
  /** With the hash of a data folder: held by the instance that serves it. */
  instance: 4_812_023,
} as const
