import { basename, dirname, extname, join } from 'node:path'
import {
  type AgentText,
  isFolder,
  jsonIn,
  placeOf,
  positionOf,
  readAgentTexts,
} from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { asSentence, messageOf, toMissingPackage } from '@braidwork/plugin/internal'
import type { YAMLError } from 'yaml'
import type { AgentSpec } from './agent-spec.ts'
import { agentFaults, throwFaults } from './check-specs.ts'
import { type FrontMatter, frontMatterIn, misplacedMatterIn, openMatterIn } from './front-matter.ts'
import { withValues, withVariables } from './references.ts'

/** The agents in a folder, and the faults of files that hold none. */
export interface AgentFiles {
  readonly agents: readonly AgentSpec[]
  readonly faults: readonly HostError[]
}

/** The most characters of a file. */
const LONGEST = 1 << 20
/**
 * Reads the agents in a folder: `<id>.md`, whose front matter (YAML between two lines `---`) is the spec and whose text
 * is the system prompt, and `<id>.json`, which may have `$schema`. Other files are left alone. The folder decides what
 * agents may do, so the caller has to trust it. A folder that does not exist is a fault.
 */
export async function readAgentFiles(folder: string): Promise<AgentFiles> {
  if (!isFolder(folder)) {
    return { agents: [], faults: [invalid(folder, 'there is no such folder')] }
  }
  const { agents, faults } = await agentsIn(readAgentTexts(folder))
  return { agents, faults }
}

/** The agents in files, with the path of the file of each. */
export interface PlacedAgents extends AgentFiles {
  readonly paths: ReadonlyMap<AgentSpec, string>
}

/** The id of the agent that a file declares. */
export function idOfFile(path: string): string {
  return basename(path, extname(path))
}

/**
 * The agents that the texts of files declare. Two files of one folder with the same id are a fault, and neither is used:
 * each may hold the limits of the other.
 */
export async function agentsIn(texts: readonly AgentText[]): Promise<PlacedAgents> {
  const found = new Map<AgentSpec, string>()
  const faults: HostError[] = []
  const broken = new Set<string>()
  const firsts = new Map<string, string>()
  for (const text of texts) {
    const place = placeOfAgent(text.path)
    const first = firsts.get(place)
    firsts.set(place, first ?? text.path)
    try {
      const agent = await agentIn(text)
      if (first !== undefined) throw doubled(text.path, first)
      found.set(agent, text.path)
    } catch (error) {
      if (!HostError.is(error)) throw error
      broken.add(place)
      faults.push(error)
    }
  }
  const paths = new Map([...found].filter(([, path]) => !broken.has(placeOfAgent(path))))
  return { agents: [...paths.keys()], faults, paths }
}

/** The folder and the id of the agent that a file declares. */
function placeOfAgent(path: string): string {
  return join(dirname(path), idOfFile(path))
}

function doubled(path: string, first: string): HostError {
  return invalid(path, `"${basename(first)}" declares an agent of the same id; remove one of them`)
}

/** @throws {HostError} SPEC_INVALID */
async function agentIn({ path, text: given, reason }: AgentText): Promise<AgentSpec> {
  const text = checkedText(path, given, reason)
  const isJson = extname(path) === '.json'
  const value = isJson ? fromJson(text, path) : await fromMarkdown(text, path)
  const id = idOfFile(path)
  const own = value['id']
  if (own !== undefined && own !== id) {
    const message = `its id is ${JSON.stringify(own)}, but the name of the file says "${id}"`
    const place = isJson ? placeOf(path, positionOf(text, '/id')) : path
    throw invalid(place, message, '/id')
  }
  const spec = { ...value, id }
  const found = await agentFaults(withValues(spec))
  const faults = found.map((fault) => withVariables(spec, fault))
  const [first] = faults
  throwFaults(faults, isJson && first ? placeOf(path, positionOf(text, first.pointer)) : path)
  return spec
}

function checkedText(path: string, text: string | undefined, reason?: string): string {
  if (text === undefined) throw invalid(path, `it cannot be read${reason ? `: ${reason}` : ''}`)
  if (text.length > LONGEST) throw invalid(path, `it has more than ${LONGEST} characters`)
  return text.replace(/^\uFEFF/, '')
}

type Fields = { readonly [key: string]: unknown }

function fromJson(text: string, path: string): Fields {
  const value = jsonIn(text, 'it', (reason, position, pointer) =>
    invalid(placeOf(path, position), reason, pointer),
  )
  if (!isObject(value)) throw invalid(path, 'a spec must be an object')
  // As in a config file, it is for editors.
  const { $schema: _, ...fields } = value
  return fields
}

async function fromMarkdown(text: string, path: string): Promise<Fields> {
  const found = frontMatterIn(text)
  if (!found) assertNoMatter(text, path)
  const fields = found ? await fromYaml(found, path) : {}
  const prompt = (found?.body ?? text).trim()
  if (prompt === '') return fields
  if (fields['system_prompt'] !== undefined) {
    throw invalid(path, 'it has a text and "system_prompt"; keep one of them', '/system_prompt')
  }
  return { ...fields, system_prompt: prompt }
}

/** Front matter that is not read as such would lose the limits of the agent. @throws {HostError} SPEC_INVALID */
function assertNoMatter(text: string, path: string): void {
  const open = openMatterIn(text)
  if (open !== undefined) {
    const reason = 'its front matter has no end; put a line "---" after it'
    throw invalid(`${path}:${open}`, reason)
  }
  const misplaced = misplacedMatterIn(text)
  if (misplaced === undefined) return
  const reason =
    'its front matter must be at the beginning, between two lines "---"; if this is a part of the prompt, put two lines "---" above the prompt'
  throw invalid(`${path}:${misplaced}`, reason)
}

async function fromYaml(found: FrontMatter, path: string): Promise<Fields> {
  if (found.matter.trim() === '') return {}
  const value = parsed(found, path, await loadYaml())
  if (value === null) return {}
  if (isObject(value)) return value
  throw invalid(path, 'its front matter must be a list of keys and values')
}

/** The most aliases that a value may have: some that multiply would fill the memory. */
const MOST_ALIASES = 100

function parsed({ matter, line }: FrontMatter, path: string, { parseDocument }: Yaml): unknown {
  // The core schema has no types beside those of JSON. Other tags are warnings.
  const document = parseDocument(matter, { schema: 'core', logLevel: 'error' })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) throw notYaml(placed(path, fault, line), fault)
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    throw notYaml(path, error)
  }
}

/** The place of a fault in its file. @param above the number of the line above the front matter */
function placed(path: string, { linePos }: YAMLError, above: number): string {
  const start = linePos?.[0]
  return start ? `${path}:${start.line + above}:${start.col}` : path
}

/** Without the place in the front matter and its text, which the parser adds below. */
function notYaml(path: string, error: unknown): HostError {
  const [said = ''] = messageOf(error).split(/ at line |\n/, 1)
  return invalid(path, `its front matter is not YAML: ${said}`)
}

type Yaml = typeof import('yaml')

export async function loadYaml(): Promise<Yaml> {
  try {
    // A bundler that splits gives a CommonJS module only this name.
    return (await import('yaml')).default
  } catch (error) {
    throw toMissingPackage(error, 'Agents in files need')
  }
}

function invalid(path: string, reason: string, pointer = ''): HostError {
  return new HostError('SPEC_INVALID', `${path}: ${asSentence(reason)}`, { pointer })
}
