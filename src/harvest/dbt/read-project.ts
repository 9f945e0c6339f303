/**
 * A dbt project's folder, read without rendering it:
 *
 *   dbt_project.yml ─┐
 *   *.yml            ├─ configuration ─ names (database.schema.alias) ─┐
 *   models, snapshots┘      └ references ─ order ──────────────────────┴─ texts, each after all that it reads
 *   macros, variables, seeds ─ what a template may ask for
 */
import type { JsonObject } from '../../model/json.ts'
import { textAt, textOf } from '../../model/json.ts'
import { projectOf, type ProjectFacts } from '../../sql/template/project-facts.ts'
import { readTemplate, type TemplateReading } from '../../sql/template/read-template.ts'
import { folderConfig, type NodeConfig, yamlConfig } from './config.ts'
import { ProjectFiles } from './files.ts'
import { isHook, mergedConfig, statements } from './hooks.ts'
import { readManifest } from './manifest.ts'
import { definedOnly, NamingRules } from './naming.ts'
import { type DbtNode, nodeKey } from './node.ts'
import { inOrder } from './order.ts'
import { type DbtPackage, installedPackages, type PackageText, profileName, readPackage } from './package.ts'
import type { DbtProject } from './project.ts'
import type { ProjectProblem } from './problem.ts'
import { type DbtProfile, readProfile } from './profile.ts'
import { objectAt, variablesOf } from './project-file.ts'
import { latestVersion, type NodeProperties, versionsOf } from './properties.ts'

export interface DbtProjectOptions {
  /** Wins over `profiles.yml`. */
  readonly profile?: DbtProfile
  /** Values of variables, as `--vars` gives them. */
  readonly variables?: JsonObject
  readonly dialect?: string
}

/**
 * Reads the project in `folder`: what dbt compiled into `target/` where that is there, else the files as they lie. Files that cannot be read are problems; nothing is thrown for what they hold.
 */
export async function readDbtProject(folder: string, options: DbtProjectOptions = {}): Promise<DbtProject> {
  const problems: ProjectProblem[] = []
  const files = new ProjectFiles(folder, problems)
  const compiled = await readManifest(files, options.profile)
  if (compiled) return compiled
  const root = await readPackage(files, '')
  const packages = [root, ...(await installedPackages(files, root.project))]
  const profile = { ...(await readProfile(files, profileName(root.document))), ...options.profile }
  return new ProjectReader(packages, profile, options, problems).read()
}

/** A node before it has its name. */
type UnnamedNode = Omit<DbtNode, 'relation' | 'reads'> & { readonly uses: TemplateReading['refs'] }

class ProjectReader {
  readonly #root: DbtPackage
  readonly #packages: readonly DbtPackage[]
  readonly #profile: DbtProfile
  readonly #dialect: string | undefined
  readonly #problems: ProjectProblem[]
  /** Macros and variables; the names come last. */
  readonly #facts: ProjectFacts

  constructor(
    packages: readonly DbtPackage[],
    profile: DbtProfile,
    options: DbtProjectOptions,
    problems: ProjectProblem[],
  ) {
    this.#packages = packages
    this.#root = packages[0]!
    this.#profile = profile
    this.#dialect = options.dialect
    this.#problems = problems
    this.#facts = {
      name: this.#root.project.name,
      refs: {},
      sources: {},
      macros: packages
        .toReversed()
        .flatMap(({ project, macros }) => macros.map((text) => ({ package: project.name, text }))),
      variables: Object.fromEntries(
        packages.map(({ project }) => [project.name, this.#variables(project.name, options.variables)]),
      ),
      profile: definedOnly(profile),
    }
  }

  #variables(package_: string, given: JsonObject | undefined): JsonObject {
    const own = this.#packages.find(({ project }) => project.name === package_)?.project.variables ?? {}
    return { ...variablesOf(own, package_), ...variablesOf(this.#root.project.variables, package_), ...given }
  }

  read(): DbtProject {
    const unnamed = this.#packages
      .flatMap((package_) => this.#nodesOf(package_))
      .filter(({ config }) => config['enabled'] !== false)
    const rules = new NamingRules(this.#facts, this.#profile)
    const named = unnamed.map((node) => ({ ...node, relation: rules.relation(node) }))
    const keys = this.#keysByRef(named)
    const nodes = named.map((node): DbtNode => ({ ...node, reads: this.#reads(node, keys) }))
    const sources = this.#sources()
    const relations = new Map(nodes.map((node) => [nodeKey(node), node.relation]))
    return {
      name: this.#root.project.name,
      profile: this.#profile,
      facts: {
        ...this.#facts,
        refs: Object.fromEntries([...keys].map(([ref, key]) => [ref, relations.get(key)!])),
        sources: Object.fromEntries(sources.map(({ source, name, relation }) => [`${source}.${name}`, relation])),
      },
      nodes: inOrder(nodes, this.#problems),
      sources,
      around: { start: this.#statementsAround('on-run-start'), end: this.#statementsAround('on-run-end') },
      problems: this.#problems,
    }
  }

  #statementsAround(key: string): readonly string[] {
    return this.#packages.flatMap(({ document }) => statements(document[key]))
  }

  #nodesOf(package_: DbtPackage): readonly UnnamedNode[] {
    for (const { file } of package_.pythonModels) {
      this.#problems.push({ code: 'NOT_SQL', message: 'a model in Python has no SQL to read', file })
    }
    return [
      ...package_.seeds.map((seed) => this.#seed(seed, package_)),
      ...package_.pythonModels.map((model) => this.#model({ ...model, text: '' }, package_)),
      ...package_.models.flatMap((model) => this.#modelOrSnapshots(model, package_)),
      ...package_.snapshots.flatMap((file) => this.#snapshots(file, package_)),
      ...package_.properties.nodes.flatMap((node) => this.#yamlSnapshot(node, package_)),
    ]
  }

  #seed(
    { file, path, columns }: PackageText & { readonly columns: readonly string[] },
    package_: DbtPackage,
  ): UnnamedNode {
    const name = path.at(-1)!
    const properties = propertiesOf(package_, 'seeds', name)
    const config = this.#config(package_, 'seeds', path, properties, {})
    return {
      kind: 'seed',
      package: package_.project.name,
      name,
      version: undefined,
      file,
      text: '',
      config,
      columns,
      uses: [],
    }
  }

  #modelOrSnapshots(file: PackageText, package_: DbtPackage): readonly UnnamedNode[] {
    return /\{%-?\s*snapshot\s/.test(file.text) ? this.#snapshots(file, package_) : [this.#model(file, package_)]
  }

  #model({ file, path, text }: PackageText, package_: DbtPackage): UnnamedNode {
    const fileName = path.at(-1)!
    const versioned = package_.properties.nodes
      .filter(({ kind }) => kind === 'models')
      .flatMap((node) => versionsOf(node).map((version) => ({ node, version })))
      .find(({ version }) => version.definedIn === fileName)
    const properties = versioned?.node ?? propertiesOf(package_, 'models', fileName)
    const name = versioned?.node.name ?? fileName
    const reading = this.#reading(text, package_)
    const ofVersion = versioned ? yamlConfig(versioned.version.properties) : {}
    const config = this.#config(package_, 'models', path, properties, { ...ofVersion, ...reading.config })
    return {
      kind: 'model',
      package: package_.project.name,
      name,
      version: versioned?.version.version,
      file,
      text,
      config,
      columns: properties?.columns ?? [],
      uses: reading.refs,
    }
  }

  /** The snapshots of a file, each as the file with all else blanked, so that places stay. */
  #snapshots({ file, path, text }: PackageText, package_: DbtPackage): readonly UnnamedNode[] {
    const { definitions } = this.#reading(text, package_)
    return definitions
      .filter(({ sort }) => sort === 'snapshot')
      .map(({ name, start, end }) => {
        const own = blank(text.slice(0, start)) + text.slice(start, end)
        const { config, refs } = this.#reading(own, package_)
        return this.#snapshot({ file, path: [...path.slice(0, -1), name], text: own }, package_, config, refs)
      })
  }

  /** A snapshot that is written in YAML alone. */
  #yamlSnapshot({ kind, name, properties, file }: NodeProperties, package_: DbtPackage): readonly UnnamedNode[] {
    const relation = textAt(properties, 'relation')
    if (kind !== 'snapshots' || relation === undefined) return []
    const text = `select * from {{ ${relation} }}`
    return [this.#snapshot({ file, path: [name], text }, package_, {}, this.#reading(text, package_).refs)]
  }

  #snapshot(
    { file, path, text }: PackageText,
    package_: DbtPackage,
    own: NodeConfig,
    uses: TemplateReading['refs'],
  ): UnnamedNode {
    const name = path.at(-1)!
    const config = this.#config(package_, 'snapshots', path, propertiesOf(package_, 'snapshots', name), own)
    return {
      kind: 'snapshot',
      package: package_.project.name,
      name,
      version: undefined,
      file,
      text,
      config: { ...config, materialized: 'snapshot' },
      columns: [],
      uses,
    }
  }

  #reading(text: string, { project: { name } }: DbtPackage): TemplateReading {
    return readTemplate(text, {
      project: projectOf(this.#facts, () => undefined, name),
      variables: this.#facts.variables?.[name] ?? {},
      profile: definedOnly(this.#profile),
      ...(this.#dialect === undefined ? {} : { dialect: this.#dialect }),
    })
  }

  /** Folders of the package's own file, then those of the root project, then YAML, then the node itself. */
  #config(
    package_: DbtPackage,
    kind: 'models' | 'seeds' | 'snapshots',
    path: readonly string[],
    properties: NodeProperties | undefined,
    own: NodeConfig,
  ): NodeConfig {
    const within = [package_.project.name, ...path]
    const folders = [...new Set([package_, this.#root])].map(({ project }) =>
      folderConfig(objectAt(project.config, kind), within),
    )
    const config = mergedConfig([...folders, properties ? yamlConfig(properties.properties) : {}, own])
    return Object.fromEntries(
      Object.entries(config).map(([key, value]) => [key, isHook(key) ? value : this.#rendered(value, package_)]),
    )
  }

  /** A setting may be a template: `+schema: "{{ var('mart') }}"`. */
  #rendered(value: NodeConfig[string], package_: DbtPackage): NodeConfig[string] {
    if (typeof value !== 'string' || !value.includes('{{')) return value
    const text = this.#reading(value, package_).variants[0]?.sql.trim() ?? ''
    if (text === 'True' || text === 'False') return text === 'True'
    return text
  }

  #sources(): DbtProject['sources'] {
    return this.#packages.flatMap((package_) =>
      package_.properties.sources.map((table) => {
        const text = (value: string | undefined) =>
          value === undefined ? undefined : textOf(this.#rendered(value, package_))
        const relation = {
          database: text(table.database) ?? this.#profile.database,
          schema: text(table.schema),
          identifier: text(table.identifier) ?? table.name,
        }
        return { ...table, relation }
      }),
    )
  }

  /** Keys of nodes by what `ref` may call them. */
  #keysByRef(nodes: readonly Pick<DbtNode, 'package' | 'name' | 'version'>[]): ReadonlyMap<string, string> {
    const keys = new Map<string, string>()
    // The project's own nodes stand first, and a name belongs to the first that has it.
    const add = (ref: string, key: string) => void (keys.has(ref) || keys.set(ref, key))
    for (const node of nodes) {
      const { package: package_, name, version } = node
      const key = nodeKey(node)
      const versioned = version === undefined ? name : `${name}.v${version}`
      add(versioned, key)
      add(`${package_}.${versioned}`, key)
      if (version === undefined || this.#latest(package_, name) !== version) continue
      add(name, key)
      add(`${package_}.${name}`, key)
    }
    return keys
  }

  #latest(package_: string, name: string): string | undefined {
    const of = this.#packages.find(({ project }) => project.name === package_)
    const properties = of && propertiesOf(of, 'models', name)
    return properties && latestVersion(properties)
  }

  #reads(node: UnnamedNode, keys: ReadonlyMap<string, string>): readonly string[] {
    return node.uses.flatMap(({ package: package_, name, version }) => {
      const versioned = version === undefined ? name : `${name}.v${version}`
      const key = keys.get(package_ === undefined ? versioned : `${package_}.${versioned}`) ?? keys.get(versioned)
      if (key !== undefined) return [key]
      this.#problems.push({
        code: 'REF_UNKNOWN',
        message: `ref('${name}') is no model of the project`,
        file: node.file,
      })
      return []
    })
  }
}

function propertiesOf(package_: DbtPackage, kind: NodeProperties['kind'], name: string): NodeProperties | undefined {
  return package_.properties.nodes.find((node) => node.kind === kind && node.name === name)
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
