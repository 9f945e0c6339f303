/** The catalog's `openapi.json`, and whether an answer is as it says. */
import { Compile } from 'typebox/compile'
import { stripPrefix } from '../../src/http/prefix.ts'

interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export interface OpenapiDescription {
  readonly paths: Paths
  /** What an answer has that the description has not; undefined where it fits, or is of a path that is not described. */
  readonly breachOf: (
    method: string,
    path: string,
    answer: { readonly status: number; readonly contentType: string; readonly text: string },
  ) => string | undefined
}

export async function fetchDescription(url: string, token?: string): Promise<OpenapiDescription> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/openapi/openapi.json`, { headers })
  if (!answer.ok) throw new Error(`openapi.json: ${answer.status} ${await answer.text()}`)
  const { paths } = (await answer.json()) as { readonly paths: Paths }
  const templates = Object.keys(paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, matches: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }))

  return {
    paths,
    breachOf(method, path, { status, contentType, text }) {
      const [address = ''] = stripPrefix(path).split('?')
      const operation = templates
        .filter(({ matches }) => matches.test(address))
        .map((template) => paths[template.path]?.[method.toLowerCase()])
        .find((one) => one !== undefined)
      // 401 looks the same everywhere, and a body that cannot be read is refused before there is an operation.
      if (operation === undefined || status === 401) return undefined
      const described = operation.responses[status] ?? operation.responses[`${String(status)[0]}XX`]
      if (described === undefined) return `the status ${status} is not described`
      if (described.content === undefined) return text === '' ? undefined : 'a body is not described'
      const type = contentType.split(';')[0] ?? ''
      const schema = described.content[type]?.schema
      // Failures, actions without a result and streams of lines may have no body.
      if (text === '' && type === 'application/x-ndjson') return undefined
      if (text === '') return status >= 400 || address.split('/').length === 2 ? undefined : 'the body is missing'
      if (schema === undefined) return `the type ${type} is not described`
      return type === 'application/json' ? faultOf(schema, JSON.parse(text)) : undefined
    },
  }
}

const validators = new Map<string, ReturnType<typeof Compile>>()

function faultOf(schema: object, value: unknown): string | undefined {
  const key = JSON.stringify(schema)
  const validator = validators.get(key) ?? Compile(schema)
  validators.set(key, validator)
  if (validator.Check(value)) return undefined
  const [first] = validator.Errors(value)
  return `${first?.instancePath} ${first?.message}`
}
