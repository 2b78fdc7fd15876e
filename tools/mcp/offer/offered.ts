import { findJsonFault, isObject, type JsonObject, type ToolSchema } from '@braidwork/plugin'
import type { Listed } from '../sessions/list-all.ts'
import type { ServerSettings } from '../settings.ts'
import { oneLine, visible, visibleCut } from '../visible.ts'
import { nameTools } from './names.ts'
import { newerSchema } from './newer-schema.ts'
import { safetyOf } from './safety.ts'
import { schemaFault } from './schema-fault.ts'

/** The most characters of a description, and of all texts in a schema together. */
const MOST_DESCRIPTION = 4_000
const MOST_SCHEMA = 100_000
/** The most characters of a tool's own name. */
const LONGEST_NAME = 200

/** A server's tool as it was listed. */
export interface ServerTool {
  readonly server: string
  /** The tool's name on the server. */
  readonly name: string
  readonly listed: Listed
  readonly schema: Omit<ToolSchema, 'name'>
}

/** What a server offers, or why it offers nothing. */
export interface ServerOffer {
  readonly server: ServerSettings
  readonly listed: readonly Listed[]
  /** Why the server is not there. */
  readonly away?: string
}

/** The tools of all servers, by the names that they get here. */
export interface Offer {
  readonly tools: ReadonlyMap<string, ServerTool>
  readonly schemas: readonly ToolSchema[]
  readonly warnings: readonly string[]
}

/** The most offers that are remembered. */
const MOST_OFFERS = 32
const remembered: { readonly offers: readonly ServerOffer[]; readonly offer: Offer }[] = []

/**
 * Names the tools of all servers, and says what is wrong with those that cannot be offered. The same servers with the
 * same lists make the same offer.
 */
export function offerOf(offers: readonly ServerOffer[]): Offer {
  const known = remembered.find((one) => isSame(one.offers, offers))
  if (known) return known.offer
  const offer = newOffer(offers)
  remembered.unshift({ offers, offer })
  remembered.splice(MOST_OFFERS)
  return offer
}

function isSame(some: readonly ServerOffer[], others: readonly ServerOffer[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ listed, away, server }, at) => {
      const other = others[at]
      return listed === other?.listed && away === other.away && isEqual(server, other.server)
    })
  )
}

function isEqual(one: ServerSettings, other: ServerSettings): boolean {
  if (one === other) return true
  const facts = ({ name, tools, safety, reached }: ServerSettings) =>
    JSON.stringify([name, tools, safety, reached.kind])
  return facts(one) === facts(other)
}

function newOffer(offers: readonly ServerOffer[]): Offer {
  const tools = offers.flatMap(toolsOf)
  const { named, doubles } = nameTools(tools)
  const schemas = [...named].map(([name, { schema }]) => ({ name, ...schema }))
  const missing = offers.flatMap((one) => missingIn(one).map((name) => ({ ...one, name })))
  const warnings = [
    ...doubles.map(
      ({ server, name }) =>
        `The tool "${oneLine(name)}" of the MCP server "${server}" is left out: another tool has its name.`,
    ),
    ...missing.map(
      ({ server, name }) =>
        `"tools" of the MCP server "${server.name}" has "${oneLine(name)}", but the server has no tool of this name.`,
    ),
  ]
  return { tools: named, schemas, warnings }
}

/** The tools that the config names and the server does not have. */
function missingIn({ server, listed, away }: ServerOffer): readonly string[] {
  if (away !== undefined) return []
  return [...new Set(server.tools)].filter((name) => !listed.some((tool) => tool['name'] === name))
}

function toolsOf(offer: ServerOffer): readonly ServerTool[] {
  const { server, listed, away } = offer
  if (away !== undefined && listed.length === 0) return [placeholder(server, 'unavailable', away)]
  const reason = `the MCP server "${server.name}" has no tool of this name, which "tools" of its config has`
  const missing = missingIn(offer).map((name) => placeholder(server, name, reason))
  const key = JSON.stringify([server.name, server.safety, server.reached.kind])
  const there = listed.flatMap((tool) => {
    const own = typeof tool['name'] === 'string' ? tool['name'] : ''
    if (own === '' || own.length > LONGEST_NAME) return []
    if (server.tools && !server.tools.includes(own)) return []
    return [unlessAway(toolOf(server, tool, { own, key }), away)]
  })
  return [...there, ...missing]
}

/** What stands in the inventory for a tool that is not there, or for a server whose tools nobody has seen. */
function placeholder(server: ServerSettings, name: string, reason: string): ServerTool {
  const schema = {
    description: `From the MCP server "${server.name}".`,
    input_schema: { type: 'object' },
    unavailable: reason,
    runtime_owner: 'mcp_server',
  } as const
  return { server: server.name, name, listed: {}, schema }
}

/** What was made of each listed tool, by the facts of its server: a list is the same value until the server changes it. */
const made = new WeakMap<Listed, Map<string, ServerTool>>()
/** The most servers with the same list that are remembered. */
const MOST_MADE = 16

function toolOf(
  server: ServerSettings,
  listed: Listed,
  { own, key }: { readonly own: string; readonly key: string },
): ServerTool {
  const known = made.get(listed) ?? new Map<string, ServerTool>()
  made.set(listed, known)
  const tool = known.get(key) ?? newTool(server, listed, own)
  if (known.size < MOST_MADE) known.set(key, tool)
  return tool
}

function unlessAway(tool: ServerTool, away: string | undefined): ServerTool {
  return away === undefined ? tool : { ...tool, schema: { ...tool.schema, unavailable: away } }
}

function newTool(server: ServerSettings, listed: Listed, own: string): ServerTool {
  const { description, title, annotations } = listed
  const [inputSchema, outputSchema] = [
    usable(listed['inputSchema']),
    usable(listed['outputSchema']),
  ]
  const text = typeof description === 'string' && description !== '' ? description : title
  const said = typeof text === 'string' ? visibleCut(text, MOST_DESCRIPTION) : ''
  const unusable = inputSchema.fault && `its input schema cannot be used: ${inputSchema.fault}`
  const fault = taskFault(listed) ?? unusable
  const schema = {
    // A text of a server is marked as such: it may pretend to come from the user.
    description: `From the MCP server "${server.name}": ${said}`,
    input_schema: inputSchema.schema ?? { type: 'object' },
    ...(outputSchema.schema ? { output_schema: outputSchema.schema } : {}),
    safety: safetyOf(server, own, annotations),
    runtime_owner: 'mcp_server',
    ...(fault === undefined ? {} : { unavailable: fault }),
  } as const
  return { server: server.name, name: own, listed, schema }
}

/** A server refuses a plain call of some tools. Model Context Protocol 2025-11-25, Tasks, Tool-Level Negotiation */
function taskFault({ execution }: Listed): string | undefined {
  const isTask = isObject(execution) && execution['taskSupport'] === 'required'
  return isTask ? 'it runs only as a task of MCP, and Braidwork makes plain calls' : undefined
}

/** A schema as the host and model APIs take it, or why it cannot be used. */
interface Usable {
  readonly schema?: JsonObject
  readonly fault?: string
}

function usable(given: unknown): Usable {
  const schema = newerSchema(given)
  const fault = schemaFault(schema)
  if (fault !== undefined) return { fault }
  const json = findJsonFault(schema)
  if (json) return { fault: `at ${oneLine(json.pointer || '/')}: ${json.reason}` }
  if (JSON.stringify(schema).length > MOST_SCHEMA)
    return { fault: `it has more than ${MOST_SCHEMA} characters` }
  return { schema: visibleIn(schema) as JsonObject }
}

/** A schema with the descriptions and titles in it made visible. Names and values must stay as they are. */
function visibleIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visibleIn)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isText = (key === 'description' || key === 'title') && typeof inner === 'string'
      return [key, isText ? visible(inner) : visibleIn(inner)]
    }),
  )
}
