/**
 * A project of SQLMesh: its models in the order in which each finds what it reads, with the variables of its
 * configuration; seeds and external models as the tables that they describe.
 */
import { posix } from 'node:path'
import { Type } from 'typebox'
import { DecodeError } from '../../model/errors.ts'
import { isJsonObject, type JsonObject, objectsOf, textAt } from '../../model/json.ts'
import { decodeYaml } from '../../model/yaml.ts'
import { createSession, type DialectName } from '../../sql/index.ts'
import { findDialect } from '../../sql/dialects/registry.ts'
import { readSqlmesh, relationNamed, seedDefinition } from '../../sql/template/sqlmesh/model.ts'
import { objectAt } from '../dbt/project-file.ts'
import { seedColumns } from '../dbt/seeds.ts'
import type { CarriedText, Carrier, CarrierFile, CarrierFolder, CarrierProblem, CarrierReading } from './carrier.ts'

export const sqlmesh: Carrier = {
  fits: (path) => /(?:^|\/)config\.(?:ya?ml|py)$/i.test(path),
  mayBe: (text) => /\b(?:model_defaults|ModelDefaultsConfig)\b/.test(text),
  read: (files, folder) => {
    const readings = files.map((file) => readProject(file, folder))
    const dialect = readings.find((one) => one.dialect !== undefined)?.dialect
    return {
      texts: readings.flatMap(({ texts }) => texts),
      problems: readings.flatMap(({ problems }) => problems),
      claimed: readings.flatMap(({ claimed = [] }) => claimed),
      ...(dialect === undefined ? {} : { dialect }),
    }
  },
}

function readProject({ path, text }: CarrierFile, folder: CarrierFolder): CarrierReading {
  const root = posix.dirname(path) === '.' ? '' : `${posix.dirname(path)}/`
  const below = folder.paths.filter((one) => one.startsWith(`${root}models/`))
  const config = path.endsWith('.py') ? {} : (yamlOf(text, path) as JsonObject)
  const dialect = dialectOf(config, text)
  const variables = variablesOf(config)
  const models: CarriedText[] = []
  for (const file of below.filter((one) => /\.sql$/i.test(one))) {
    const sql = folder.textOf(file)
    const read = sql === undefined ? undefined : readSqlmesh(sql)
    if (sql === undefined || !read) continue
    models.push(read.model?.seed === undefined ? modelText(file, sql, variables) : seedText(file, sql, folder))
  }
  if (models.length === 0) return { texts: [], problems: [] }
  const problems: CarrierProblem[] = []
  const python = below.filter((one) => /\.py$/i.test(one)).flatMap((one) => pythonModels(one, folder, problems))
  return {
    texts: [...externalModels(root, folder), ...python, ...inOrder(models, dialect)],
    problems,
    claimed: models.map(({ file }) => file),
    ...(dialect === undefined ? {} : { dialect }),
  }
}

function modelText(file: string, sql: string, variables: JsonObject): CarriedText {
  return { file, sql, model: { target: { identifier: '' }, materialized: 'table', config: variables } }
}

/** The columns of a seed are those of its header, else those of its file. */
function seedText(file: string, sql: string, folder: CarrierFolder): CarriedText {
  const { name, columns, seed = '' } = readSqlmesh(sql)!.model!
  const rows = columns.length > 0 ? undefined : folder.textOf(posix.join(posix.dirname(file), seed))
  return { file, sql: seedDefinition(relationNamed(name), rows === undefined ? columns : seedColumns(rows)) }
}

/** `@model("shop.scores", columns={"id": "int"})`: its name and columns; what it reads, only Python says. */
function pythonModels(file: string, folder: CarrierFolder, problems: CarrierProblem[]): readonly CarriedText[] {
  const text = folder.textOf(file) ?? ''
  return [...text.matchAll(/^@model\(\s*(?:name\s*=\s*)?(["'])([\w.]+)\1([^]*?)\)\s*\ndef /gm)].map(
    ({ 2: name, 3: rest, index }) => {
      const line = text.slice(0, index).split('\n').length
      problems.push({ file, line, message: 'a model in Python has no SQL to read' })
      const columns = /\bcolumns\s*=\s*\{([^}]*)\}/.exec(rest!)?.[1] ?? ''
      const names = [...columns.matchAll(/(["'])(\w+)\1\s*:/g)].map(([, , column]) => column!)
      return { file, sql: '\n'.repeat(line - 1) + seedDefinition(relationNamed(name!), names) }
    },
  )
}

function externalModels(root: string, folder: CarrierFolder): readonly CarriedText[] {
  const pattern = /^(?:external_models\.ya?ml|external_models\/.*\.ya?ml)$/i
  const files = folder.paths.filter((path) => path.startsWith(root) && pattern.test(path.slice(root.length)))
  return files.flatMap((file) => {
    const text = folder.textOf(file) ?? ''
    return objectsOf(yamlOf(text, file)).flatMap((model) => {
      const name = textAt(model, 'name')
      if (name === undefined) return []
      const columns = Object.keys(objectAt(model, 'columns'))
      const line = text.slice(0, Math.max(0, text.indexOf(name))).split('\n').length
      return [{ file, sql: '\n'.repeat(line - 1) + seedDefinition(relationNamed(name), columns) }]
    })
  })
}

function yamlOf(text: string, file: string): unknown {
  try {
    const document: unknown = decodeYaml(Type.Unknown(), text, file)
    return document ?? {}
  } catch (error) {
    if (error instanceof DecodeError) return {}
    throw error
  }
}

function dialectOf(config: JsonObject, text: string): string | undefined {
  const named = textAt(objectAt(config, 'model_defaults'), 'dialect') ?? /\bdialect\s*=\s*["'](\w+)["']/.exec(text)?.[1]
  return named === undefined ? undefined : findDialect(named.toLowerCase())?.name
}

/** Variables of the project, and of the gateway that is taken where nobody names one. */
function variablesOf(config: JsonObject): JsonObject {
  const gateways = objectAt(config, 'gateways')
  const gateway = textAt(config, 'default_gateway') ?? Object.keys(gateways)[0]
  const own = gateway === undefined ? {} : objectAt(objectAt(gateways, gateway), 'variables')
  const all = { ...objectAt(config, 'variables'), ...(isJsonObject(own) ? own : {}) }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Each after those that it reads; a circle is begun where it was met first. */
function inOrder(models: readonly CarriedText[], dialect: string | undefined): readonly CarriedText[] {
  const known = models.map((model) => {
    const session = createSession(dialect === undefined ? {} : { dialect: dialect as DialectName })
    const statements = session.add(model.sql, { file: model.file, ...(model.model ? { model: model.model } : {}) })
    return {
      model,
      makes: lower(statements.flatMap(({ outputs }) => outputs)),
      reads: lower(statements.flatMap(({ inputs }) => inputs)),
    }
  })
  const makers = new Map(known.flatMap((one) => one.makes.map((name) => [name, one])))
  const ordered = new Set<CarriedText>()
  const under = new Set<CarriedText>()
  const add = (one: (typeof known)[number]): void => {
    if (under.has(one.model)) return
    under.add(one.model)
    for (const name of one.reads) {
      const maker = makers.get(name)
      if (maker) add(maker)
    }
    ordered.add(one.model)
  }
  for (const one of known) add(one)
  return [...ordered]
}

function lower(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toLowerCase())
}
