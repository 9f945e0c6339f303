/** Runs in a worker thread: batches in, plain answers out. Which item is at work is told through shared memory. */
import { encodeFailure, encodeResult } from '../encode/json.ts'
import { caseOptions, readCase } from '../eval/case.ts'
import { createSession, parseLineage } from '../index.ts'
import type { Profile, ScriptLineage } from '../types.ts'
import { requestOptions, type LineageRequest, type Task } from './request.ts'

/** Lineage of each request, as JSON: half the work of a structured clone, measured on both sides together. */
export function lineages(task: Task<LineageRequest>): string[] {
  return each(task, (request) => JSON.stringify(lineageOf(request)))
}

function lineageOf(request: LineageRequest): ScriptLineage {
  const { sql, files, models } = request
  if (files === undefined) return parseLineage(sql, requestOptions(request))
  const session = createSession(requestOptions(request))
  for (const [i, text] of [sql].flat().entries()) {
    const model = models?.[i]
    session.add(text, { file: files[i] ?? '', ...(model === undefined ? {} : { model }) })
  }
  return session.lineage()
}

/** The result line of each case line. */
export function caseLines(task: Task<string>): string[] {
  const { profile } = task.shared as { readonly profile: Profile }
  return each(task, (line) => JSON.stringify(caseResult(line, profile)))
}

function caseResult(line: string, profile: Profile): ReturnType<typeof encodeResult> {
  const reading = readCase(line)
  if (!reading.ok) return encodeFailure(reading.bad.id, reading.bad.error)
  return encodeResult(reading.value.id, parseLineage(reading.value.sql, caseOptions(reading.value, profile)))
}

function each<Item, Answer>(task: Task<Item>, answer: (item: Item) => Answer): Answer[] {
  return task.items.map((item, i) => {
    Atomics.store(task.progress, 0, i + 1)
    return answer(item)
  })
}
