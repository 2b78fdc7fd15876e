import { dirname, join, resolve } from 'node:path'
import { type Diagnostic, isObject, pointerOf } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { type ParseError, parse } from 'jsonc-parser'
import type { ConfigLayer } from '../config/index.ts'
import { didYouMean } from '../suggest.ts'
import { placeOf, positionOf } from './json-places.ts'
import { isFile } from './locate.ts'

/** The file in which other programs keep a project's MCP servers: `{"mcpServers": {<name>: {…}}}`. */
const SERVERS_FILE = '.mcp.json'
/** The members of a server that the tool `mcp` knows. Other programs have more. */
const KNOWN = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'disabled'] as const
/** The members of which a server needs one. */
const REACHED = ['command', 'url'] as const
/** A variable as these programs write it, perhaps with a default. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}/g

/** The MCP servers of a project, as a layer of its config. */
export interface ProjectServers {
  readonly layer?: ConfigLayer
  readonly diagnostics: readonly Diagnostic[]
}

const NONE: ProjectServers = { diagnostics: [] }

/**
 * Reads the MCP servers of a folder, for the tool `mcp`. A file that is none, and a server whose variables are not set,
 * are left out with a diagnostic.
 * @param read reads a file; undefined leaves it out
 */
export function readProjectServers(
  folder: string,
  read: (path: string) => string | undefined,
  variables: { readonly [name: string]: string | undefined } = process.env,
): ProjectServers {
  const path = join(folder, SERVERS_FILE)
  if (!isFile(path)) return NONE
  try {
    const text = read(path)
    return text === undefined ? NONE : serversIn(text, path, variables)
  } catch (error) {
    return leftOut(`"${path}" is not used: ${messageOf(error)}`)
  }
}

function serversIn(
  text: string,
  path: string,
  variables: { readonly [name: string]: string | undefined },
): ProjectServers {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const servers = isObject(value) ? value['mcpServers'] : undefined
  if (errors.length > 0 || !isObject(servers))
    return leftOut(`"${path}" is not used: it is not JSON with an object "mcpServers".`)
  const diagnostics: Diagnostic[] = []
  const kept: [string, object][] = []
  for (const [name, server] of Object.entries(servers)) {
    const missing = new Set<string>()
    const lacks = name.trim() === '' ? 'its name is empty.' : lackOf(server)
    if (lacks !== undefined) {
      const place = placeOf(path, positionOf(text, pointerOf(['mcpServers', name])))
      diagnostics.push(warning(`The MCP server "${name}" in "${place}" is not used: ${lacks}`))
      continue
    }
    const filled = isObject(server) ? filledIn(pickKnown(server), variables, missing) : undefined
    if (filled && missing.size === 0) kept.push([name, inFolder(filled, dirname(path))])
    else diagnostics.push(serverLeftOut(name, path, missing))
  }
  if (kept.length === 0) return { diagnostics }
  const mcp = { project_servers: Object.fromEntries(kept) }
  return { layer: { settings: { mcp } }, diagnostics }
}

/** Why a server cannot be reached. A server that is off needs nothing. */
function lackOf(server: unknown): string | undefined {
  if (!isObject(server) || server['disabled'] === true) return undefined
  const wrong = REACHED.find((key) => key in server && typeof server[key] !== 'string')
  if (wrong) return `its "${wrong}" must be a text.`
  if (REACHED.some((key) => key in server)) return undefined
  const hint = Object.keys(server)
    .map((key) => didYouMean(key, REACHED))
    .find((one) => one !== '')
  return `it has neither "command" nor "url".${hint ?? ''}`
}

function pickKnown(server: { readonly [key: string]: unknown }): object {
  return Object.fromEntries(KNOWN.flatMap((key) => (key in server ? [[key, server[key]]] : [])))
}

/** A command runs in the folder of the file, unless it names another. */
function inFolder(server: { readonly cwd?: unknown }, folder: string): object {
  if (!('command' in server)) return server
  return { ...server, cwd: typeof server.cwd === 'string' ? resolve(folder, server.cwd) : folder }
}

/** Puts references of this host in place of those to variables, so that their values stay secret. */
function filledIn<T>(
  value: T,
  variables: { readonly [name: string]: string | undefined },
  missing: Set<string>,
): T {
  if (typeof value === 'string') return text(value) as T
  if (Array.isArray(value))
    return value.map((item) => filledIn<unknown>(item, variables, missing)) as T
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, filledIn(inner, variables, missing)] as const,
  )
  return Object.fromEntries(entries) as T

  function text(given: string): string {
    return given.replaceAll(VARIABLE, (_whole, name: string, usual: string | undefined) => {
      if (variables[name]) return `\${env:${name}}`
      if (usual === undefined) missing.add(name)
      return usual ?? ''
    })
  }
}

function serverLeftOut(name: string, path: string, missing: ReadonlySet<string>): Diagnostic {
  const why =
    missing.size > 0
      ? `it needs the environment variable ${[...missing].join(', ')}`
      : 'it is not an object'
  return warning(`The MCP server "${name}" in "${path}" is not used: ${why}.`)
}

function leftOut(message: string): ProjectServers {
  return { diagnostics: [warning(message)] }
}

function warning(message: string): Diagnostic {
  return { code: 'CONFIG_INVALID', level: 'warning', message }
}
