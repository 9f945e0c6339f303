/** Runs in a worker thread: batches in, plain answers out. Which item is at work is told through shared memory. */
import { encodeFailure, encodeResult } from '../encode/json.ts'
import { caseOptions, readCase } from '../eval/case.ts'
import { createSession, parseLineage } from '../index.ts'
import type { Profile, ScriptLineage } from '../types.ts'
import {
  FINISHED,
  requestOptions,
  unpackRequests,
  type LineageRequest,
  type PackedRequests,
  type Task,
} from './request.ts'
import { pack } from './wire.ts'

/** Lineage of each request, packed: a line each. */
export function lineages(task: Task<PackedRequests>): string {
  return each(task, unpackRequests(task.batch), (request) => pack(lineageOf(request, task.progress)))
}

function lineageOf(request: LineageRequest, progress: Int32Array): ScriptLineage {
  const { sql, files, models } = request
  if (files === undefined) return parseLineage(sql, requestOptions(request))
  const session = createSession(requestOptions(request))
  for (const [i, text] of [sql].flat().entries()) {
    const model = models?.[i]
    Atomics.add(progress, 1, 1)
    session.add(text, { file: files[i] ?? '', ...(model === undefined ? {} : { model }) })
  }
  Atomics.add(progress, 1, 1)
  return session.lineage()
}

/** The result line of each case line. */
export function caseLines(task: Task<readonly string[]>): string {
  const { profile } = task.shared as { readonly profile: Profile }
  return each(task, task.batch, (line) => JSON.stringify(caseResult(line, profile)))
}

function caseResult(line: string, profile: Profile): ReturnType<typeof encodeResult> {
  const reading = readCase(line)
  if (!reading.ok) return encodeFailure(reading.bad.id, reading.bad.error)
  return encodeResult(reading.value.id, parseLineage(reading.value.sql, caseOptions(reading.value, profile)))
}

function each<Item>({ progress }: Task<unknown>, items: readonly Item[], answer: (item: Item) => string): string {
  const answers = items
    .map((item, i) => {
      Atomics.store(progress, 0, i + 1)
      return answer(item)
    })
    .join('\n')
  Atomics.store(progress, 0, FINISHED)
  return answers
}
