import type { Reasoned } from '../reasons/index.ts'
import { type Client, ServerError, type Values } from '../server/index.ts'

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

function pathOf(id: string): string {
  return `api/agents/${encodeURIComponent(id)}`
}

/** The server's routes of agents, for admins. Each throws a `ServerError`. */
export const AGENT_ROUTES = {
  list: (client: Client, signal: AbortSignal) =>
    client.json<{ readonly agents: readonly ListedAgent[] }>('api/agents', { signal }),
  spec: async (client: Client, id: string, signal: AbortSignal) =>
    (await client.json<{ readonly spec: Values }>(pathOf(id), { signal })).spec,
  schema: async (client: Client, signal: AbortSignal) =>
    (await client.json<{ readonly schema: Values }>('api/agent-schema', { signal })).schema,
  try: (client: Client, id: string, spec: Values) =>
    client.json<Trial>(`${pathOf(id)}?trial=only`, { method: 'PUT', json: spec }),
  save: (client: Client, id: string, spec: Values) =>
    client.json(pathOf(id), { method: 'PUT', json: spec }),
  remove: (client: Client, id: string) => client.json(pathOf(id), { method: 'DELETE' }),
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
