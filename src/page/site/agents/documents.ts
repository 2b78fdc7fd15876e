import type { Reasoned } from '../reasons/index.ts'
import { type Ask, type Client, ServerError, type Tagged, type Values } from '../server/index.ts'

/** An agent as `GET /api/agents` lists it. */
export interface ListedAgent {
  readonly id: string
  readonly name: string
  /** Agents of the config cannot be changed. */
  readonly from: 'config' | 'storage'
  readonly description?: string
}

/** A tool of a tried agent. */
export interface TriedTool extends Reasoned {
  readonly tool_name: string
  readonly offered: boolean
}

/** What an agent would be. */
export interface Trial {
  readonly tools: readonly TriedTool[]
  readonly warnings: readonly { readonly message: string }[]
}

/** What is told of an agent that was stored. */
export interface Stored {
  readonly id: string
  readonly warnings: Trial['warnings']
}

/** A spec, and the tag of what is stored; undefined for a new agent. */
export type TaggedSpec = Tagged<Values> | undefined

function pathOf(id: string): string {
  return `api/agents/${encodeURIComponent(id)}`
}

/** The server's routes of agents, for admins. Each throws a `ServerError`. */
export const AGENT_ROUTES = {
  list: (client: Client, signal: AbortSignal) =>
    client.json<{ readonly agents: readonly ListedAgent[] }>('api/agents', { signal }),
  spec: async (client: Client, id: string, signal: AbortSignal) => {
    const { value, etag } = await client.tagged<{ readonly spec: Values }>(pathOf(id), { signal })
    return { value: value.spec, etag }
  },
  schema: async (client: Client, signal: AbortSignal) =>
    (await client.json<{ readonly schema: Values }>('api/agent-schema', { signal })).schema,
  try: (client: Client, id: string, spec: Values) =>
    client.json<Trial>(`${pathOf(id)}?trial=only`, { method: 'PUT', json: spec }),
  /** Stores a spec where the agent is still what it was, or there is none if it was none. */
  save: (client: Client, { id, spec, before }: SavedSpec): Promise<Stored> => {
    const headers = before ? ifStill(before) : { 'if-none-match': '*' }
    const saved = client.json<Stored>(pathOf(id), { method: 'PUT', json: spec, headers })
    return before ? orGone(client, id, saved) : saved
  },
  /** Deletes an agent where it is still what it was. */
  remove: (client: Client, id: string, before: TaggedSpec) =>
    orGone(client, id, client.json(pathOf(id), { method: 'DELETE', headers: ifStill(before) })),
}

/** Tells of a change that was refused because the agent is another one whether there still is one. */
async function orGone<T>(client: Client, id: string, changed: Promise<T>): Promise<T> {
  try {
    return await changed
  } catch (thrown) {
    if (!(thrown instanceof ServerError) || thrown.code !== 'SPEC_CHANGED') throw thrown
    const { agents } = await client.json<{ readonly agents: readonly ListedAgent[] }>('api/agents')
    if (agents.some((agent) => agent.id === id)) throw thrown
    throw new ServerError(404, 'AGENT_UNKNOWN', thrown.message)
  }
}

function ifStill(before: TaggedSpec): NonNullable<Ask['headers']> {
  return before?.etag === undefined ? {} : { 'if-match': before.etag }
}

interface SavedSpec {
  readonly id: string
  readonly spec: Values
  readonly before: TaggedSpec
}

/** The spec in a text. @throws {ServerError} if the text is no JSON object */
export function specIn(text: string): Values {
  const spec = parsed(text)
  if (typeof spec === 'object' && spec !== null && !Array.isArray(spec)) return spec as Values
  throw new ServerError(400, 'REQUEST_INVALID', 'A spec is a JSON object.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ServerError(400, 'REQUEST_INVALID', reason)
  }
}
