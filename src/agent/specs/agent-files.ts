import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { readRegularText } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { asSentence, messageOf, toMissingPackage } from '@braidwork/plugin/internal'
import type { AgentSpec } from './agent-spec.ts'
import { checkAgentSpec } from './check-specs.ts'

/** The agents in a folder, and the faults of files that hold none. */
export interface AgentFiles {
  readonly agents: readonly AgentSpec[]
  readonly faults: readonly HostError[]
}

/** The most characters of a file. */
const LONGEST = 1 << 20
/** The most files of a folder. */
const MOST_FILES = 1000

/**
 * Reads the agents in a folder: `<id>.md`, whose front matter (YAML between two lines `---`) is the spec and whose text
 * is the system prompt, and `<id>.json`. Other files are left alone. The folder decides what agents may do, so the
 * caller has to trust it. A folder that does not exist has no agents.
 */
export async function readAgentFiles(folder: string): Promise<AgentFiles> {
  const agents: AgentSpec[] = []
  const faults: HostError[] = []
  for (const name of namesIn(folder)) {
    try {
      agents.push(await readAgentFile(join(folder, name)))
    } catch (error) {
      if (!HostError.is(error)) throw error
      faults.push(error)
    }
  }
  return { agents, faults }
}

function namesIn(folder: string): readonly string[] {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const files = names.filter((name) => ['.md', '.json'].includes(extname(name))).sort()
  return files.slice(0, MOST_FILES)
}

/** @throws {HostError} SPEC_INVALID */
async function readAgentFile(path: string): Promise<AgentSpec> {
  const text = textOf(path)
  const value = extname(path) === '.json' ? fromJson(text, path) : await fromMarkdown(text, path)
  const id = basename(path, extname(path))
  const given = value['id']
  if (given !== undefined && given !== id) {
    throw invalid(
      path,
      `its id is ${JSON.stringify(given)}, but the name of the file says "${id}"`,
      '/id',
    )
  }
  return checkAgentSpec({ ...value, id }, path)
}

function textOf(path: string): string {
  let text: string
  try {
    text = readRegularText(path)
  } catch (error) {
    throw invalid(path, `it cannot be read: ${messageOf(error)}`)
  }
  if (text.length > LONGEST) throw invalid(path, `it has more than ${LONGEST} characters`)
  return text.replace(/^\uFEFF/, '')
}

type Fields = { readonly [key: string]: unknown }

function fromJson(text: string, path: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    throw invalid(path, `it is not JSON: ${messageOf(error)}`)
  }
  throw invalid(path, 'a spec must be an object')
}

/** A line `---`, the front matter, a line `---`, the text. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?:(.*?)\r?\n)??---[ \t]*(?:\r?\n|$)(.*)$/s

async function fromMarkdown(text: string, path: string): Promise<Fields> {
  const found = FRONT_MATTER.exec(text)
  if (!found && text.startsWith('---')) {
    throw invalid(path, 'its front matter has no end; put a line "---" after it')
  }
  const [, matter = '', body = text] = found ?? []
  const fields = await fromYaml(matter, path)
  const prompt = body.trim()
  if (prompt === '') return fields
  if (fields['system_prompt'] !== undefined) {
    throw invalid(path, 'it has a text and "system_prompt"; keep one of them', '/system_prompt')
  }
  return { ...fields, system_prompt: prompt }
}

async function fromYaml(text: string, path: string): Promise<Fields> {
  if (text.trim() === '') return {}
  const value = parsed(text, path, await loadYaml())
  if (value === null) return {}
  if (isObject(value)) return value
  throw invalid(path, 'its front matter must be a list of keys and values')
}

/** The most aliases that a value may have: some that multiply would fill the memory. */
const MOST_ALIASES = 100

function parsed(text: string, path: string, { parseDocument }: Yaml): unknown {
  // The core schema has no types beside those of JSON. Other tags are warnings.
  const document = parseDocument(text, { schema: 'core', logLevel: 'error' })
  const [fault] = [...document.errors, ...document.warnings]
  try {
    if (fault) throw fault
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    throw invalid(path, `its front matter is not YAML: ${messageOf(error)}`)
  }
}

type Yaml = typeof import('yaml')

async function loadYaml(): Promise<Yaml> {
  try {
    return await import('yaml')
  } catch (error) {
    throw toMissingPackage(error, 'Agents in files need')
  }
}

function invalid(path: string, reason: string, pointer = ''): HostError {
  return new HostError('SPEC_INVALID', `${path}: ${asSentence(reason)}`, { pointer })
}
