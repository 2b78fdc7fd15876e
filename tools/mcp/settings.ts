import { resolve } from 'node:path'
import { type Config, isObject, pointerOf, type State, type ToolSafety } from '@braidwork/plugin'
import { NUMBERS, OWN_NAME, REVISIONS } from './settings-schema.ts'

/** How a server is reached. */
export type Reached =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: { readonly [name: string]: string }
      readonly cwd: string
    }
  | {
      readonly kind: 'http' | 'sse'
      readonly url: string
      readonly headers: { readonly [name: string]: string }
      readonly allowPrivate: boolean
    }

/** How far a server may ask the model. */
export interface SamplingSettings {
  /** Whether the person is asked each time. */
  readonly policy: 'ask' | 'allow'
  /** The model that answers. Absent for that of the config. */
  readonly model?: string
  /** The most tokens of an answer. */
  readonly max_tokens: number
  /** The most requests of one call. */
  readonly requests: number
}

export interface ServerSettings {
  /** The name in the config. */
  readonly name: string
  readonly reached: Reached
  /** The tools that are offered, by their own names. Absent for all. */
  readonly tools?: readonly string[]
  readonly safety: { readonly [tool: string]: ToolSafety }
  /** Whether a revision of the protocol of before 2026-07-28 is spoken, whatever else the server speaks. */
  readonly isOld: boolean
  /** Absent if the server may not ask the model. */
  readonly sampling?: SamplingSettings
}

export interface McpState extends State {
  readonly servers: readonly ServerSettings[]
  /** Whether the model may list and read resources and prompts. */
  readonly resources: boolean
  /** Absolute paths. */
  readonly roots: readonly string[]
  /** In seconds. */
  readonly start: number
  /** In seconds. */
  readonly idle: number
  /** The longest time of a call in seconds, whatever progress it reports. */
  readonly call: number
  readonly max_bytes: number
}

type Json = { readonly [key: string]: unknown }

const NONE: Json = Object.freeze({})

/** What settings that use no server say. Every request of a config reads the same object, which never changes. */
const unused = new WeakMap<Json, McpState>()

/** Reads the servers in use, and the limits. @throws SETTINGS_INVALID with a pointer */
export function readSettings(config: Config): McpState {
  const settings: Json = config.settings?.['mcp'] ?? NONE
  const known = unused.get(settings)
  if (known) return known
  const state = stateOf(settings)
  // Roots are relative to the working directory, which may change.
  if (state.servers.length === 0 && state.roots.length === 0) unused.set(settings, state)
  return state
}

function stateOf(settings: Json): McpState {
  const used = usedNames(settings)
  const servers = used.flatMap((name) => {
    const server = foundAt(settings, name)
    return server === undefined || server.value['disabled'] === true ? [] : [serverOf(name, server)]
  })
  const resources = settings['resources'] === true
  if (resources && used.includes(OWN_NAME))
    throw invalid(
      ['use'],
      `has a server "${OWN_NAME}", whose name is taken while "resources" is on`,
    )
  const roots = textsAt(settings['roots'] ?? [], ['roots']).map((path) => resolve(path))
  const [start, idle] = [numberAt(settings, 'start'), numberAt(settings, 'idle')]
  const [call, max_bytes] = [numberAt(settings, 'call'), numberAt(settings, 'max_bytes')]
  return { servers, resources, roots, start, idle, call, max_bytes }
}

interface Found {
  readonly value: Json
  readonly path: readonly string[]
}

/** The settings that have servers. Of two with the same name, that of the first counts. */
const SOURCES = ['servers', 'project_servers'] as const

function serversAt(settings: Json, key: string): Json {
  const servers = settings[key] ?? {}
  if (isObject(servers)) return servers
  throw invalid([key], 'must be an object with the names of servers as keys')
}

/** A server by its name, which its tools begin with. Servers that are not used are not looked at: a config may have many. */
function foundAt(settings: Json, name: string): Found | undefined {
  const key = SOURCES.find((one) => Object.hasOwn(serversAt(settings, one), name))
  if (key === undefined) return undefined
  if (name.trim() === '') throw invalid([key, name], 'has an empty name')
  const value = serversAt(settings, key)[name]
  if (isObject(value)) return { value, path: [key, name] }
  throw invalid([key, name], 'must be an object with "command" or "url"')
}

function usedNames(settings: Json): readonly string[] {
  const all = SOURCES.map((key) => serversAt(settings, key))
  const known = () => [...new Set(all.toReversed().flatMap((servers) => Object.keys(servers)))]
  if (settings['use'] === undefined) return known()
  const used = textsAt(settings['use'], ['use'])
  const strange = used.find((name) => !all.some((servers) => Object.hasOwn(servers, name)))
  if (strange === undefined) return [...new Set(used)]
  throw invalid(['use'], `names "${strange}", but the servers are: ${known().join(', ') || 'none'}`)
}

function serverOf(name: string, { value, path }: Found): ServerSettings {
  const { tools, safety = {} } = value
  if (!isObject(safety)) throw invalid([...path, 'safety'], 'must be an object')
  const sampling = samplingAt(value['sampling'] ?? {}, [...path, 'sampling'])
  return {
    ...(sampling ? { sampling } : {}),
    name,
    reached: reachedAt(value, path),
    ...(tools === undefined ? {} : { tools: textsAt(tools, [...path, 'tools']) }),
    safety: safety as ServerSettings['safety'],
    isOld: isOldAt(value['protocol'], [...path, 'protocol']),
  }
}

function isOldAt(protocol: unknown, path: readonly string[]): boolean {
  if (protocol === undefined || REVISIONS.some((one) => one === protocol))
    return protocol === REVISIONS[1]
  throw invalid(path, `must be "${REVISIONS.join('" or "')}"`)
}

function samplingAt(value: unknown, path: readonly string[]): SamplingSettings | undefined {
  if (!isObject(value)) throw invalid(path, 'must be an object with "policy"')
  const { policy = 'deny', model } = value
  if (model !== undefined && typeof model !== 'string')
    throw invalid([...path, 'model'], 'must be the name of a model')
  const own = model === undefined ? {} : { model }
  const limits = {
    max_tokens: numberAt(value, 'max_tokens', path),
    requests: numberAt(value, 'requests', path),
  }
  if (policy === 'ask' || policy === 'allow') return { policy, ...own, ...limits }
  if (policy === 'deny') return undefined
  throw invalid([...path, 'policy'], 'must be "deny", "ask" or "allow"')
}

function reachedAt(value: Json, path: readonly string[]): Reached {
  const { type, command, url, args = [], cwd = '.' } = value
  if (typeof command === 'string' && url === undefined) {
    if (type !== undefined && type !== 'stdio')
      throw invalid([...path, 'type'], 'must be "stdio" for a command')
    if (typeof cwd !== 'string') throw invalid([...path, 'cwd'], 'must be a folder')
    const env = mapAt(value['env'], [...path, 'env'])
    return {
      kind: 'stdio',
      command,
      args: textsAt(args, [...path, 'args']),
      env,
      cwd: resolve(cwd),
    }
  }
  if (typeof url !== 'string' || command !== undefined)
    throw invalid(path, 'must have either "command" or "url"')
  if (type === 'stdio') throw invalid([...path, 'type'], 'must be "http" or "sse" for a URL')
  checkUrl(url, [...path, 'url'])
  return {
    kind: type === 'sse' ? 'sse' : 'http',
    url,
    headers: mapAt(value['headers'], [...path, 'headers']),
    allowPrivate: value['allow_private'] === true,
  }
}

function checkUrl(text: string, path: readonly string[]): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid(path, 'must be a URL with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw invalid(path, 'must not have a user name or password; use "headers"')
}

function textsAt(value: unknown, path: readonly string[]): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw invalid(path, 'must be a list of texts')
}

function mapAt(value: unknown = {}, path: readonly string[]): { readonly [name: string]: string } {
  if (isObject(value) && Object.values(value).every((item) => typeof item === 'string'))
    return value as { readonly [name: string]: string }
  throw invalid(path, 'must be an object with texts as values')
}

function numberAt(settings: Json, key: keyof typeof NUMBERS, path: readonly string[] = []): number {
  const { least, most, usual } = NUMBERS[key]
  const value = settings[key] ?? usual
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw invalid([...path, key], `must be a number from ${least} to ${most}`)
}

function invalid(path: readonly string[], reason: string): Error {
  const pointer = pointerOf(['settings', 'mcp', ...path])
  return Object.assign(new Error(`The setting at ${pointer} of tool "mcp" ${reason}.`), {
    code: 'SETTINGS_INVALID',
    pointer,
  })
}
