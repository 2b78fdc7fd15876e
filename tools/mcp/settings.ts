import { resolve } from 'node:path'
import { type Config, isObject, pointerOf, type State, type ToolSafety } from '@braidwork/plugin'
import { NUMBERS, OWN_NAME } from './settings-schema.ts'

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

export interface ServerSettings {
  /** The name in the config. */
  readonly name: string
  readonly reached: Reached
  /** The tools that are offered, by their own names. Absent for all. */
  readonly tools?: readonly string[]
  readonly safety: { readonly [tool: string]: ToolSafety }
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
  readonly max_bytes: number
}

type Json = { readonly [key: string]: unknown }

/** Reads the servers in use, and the limits. @throws SETTINGS_INVALID with a pointer */
export function readSettings(config: Config): McpState {
  const settings: Json = config.settings?.['mcp'] ?? {}
  const found = { ...serversAt(settings, 'project_servers'), ...serversAt(settings, 'servers') }
  const used = usedNames(settings['use'], Object.keys(found))
  const servers = used.flatMap((name) => {
    const server = found[name]
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
  return { servers, resources, roots, start, idle, max_bytes: numberAt(settings, 'max_bytes') }
}

interface Found {
  readonly value: Json
  readonly path: readonly string[]
}

function serversAt(settings: Json, key: string): { readonly [name: string]: Found } {
  const servers = settings[key] ?? {}
  if (!isObject(servers))
    throw invalid([key], 'must be an object with the names of servers as keys')
  return Object.fromEntries(
    Object.entries(servers).map(([name, value]) => {
      if (!isObject(value)) throw invalid([key, name], 'must be an object with "command" or "url"')
      return [name, { value, path: [key, name] }]
    }),
  )
}

function usedNames(use: unknown, known: readonly string[]): readonly string[] {
  if (use === undefined) return known
  const used = textsAt(use, ['use'])
  const strange = used.find((name) => !known.includes(name))
  if (strange === undefined) return [...new Set(used)]
  throw invalid(['use'], `names "${strange}", but the servers are: ${known.join(', ') || 'none'}`)
}

function serverOf(name: string, { value, path }: Found): ServerSettings {
  const { tools, safety = {} } = value
  if (!isObject(safety)) throw invalid([...path, 'safety'], 'must be an object')
  return {
    name,
    reached: reachedAt(value, path),
    ...(tools === undefined ? {} : { tools: textsAt(tools, [...path, 'tools']) }),
    safety: safety as ServerSettings['safety'],
  }
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

function numberAt(settings: Json, key: keyof typeof NUMBERS): number {
  const { least, most, usual } = NUMBERS[key]
  const value = settings[key] ?? usual
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw invalid([key], `must be a number from ${least} to ${most}`)
}

function invalid(path: readonly string[], reason: string): Error {
  const pointer = pointerOf(['settings', 'mcp', ...path])
  return Object.assign(new Error(`The setting at ${pointer} of tool "mcp" ${reason}.`), {
    code: 'SETTINGS_INVALID',
    pointer,
  })
}
