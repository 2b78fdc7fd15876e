import type { Config, Log } from '@braidwork/plugin'
import { messageOf } from './connection.ts'
import { type Offer, offerOf } from './offered.ts'
import { Pool } from './pool.ts'
import { type McpState, readSettings, type ServerSettings } from './settings.ts'
import { oneLine } from './visible.ts'

/** A server as `braidwork mcp` shows it. */
export interface ServerState {
  readonly name: string
  /** The command with its arguments, or the URL without its query. */
  readonly reached: string
  /** The names of its tools here, and why each is not offered, if it is not. */
  readonly tools: readonly { readonly name: string; readonly unavailable?: string | undefined }[]
  /** What the server calls itself, and the version of the protocol. Absent if it is not there. */
  readonly server?: string
  readonly protocol?: string
  /** Why the server is not there. */
  readonly problem?: string
}

/** Starts each server of a config, asks for its tools, and ends it. Nothing is kept. @throws SETTINGS_INVALID */
export async function checkServers(config: Config, log: Log): Promise<readonly ServerState[]> {
  const state = readSettings(config)
  const pool = new Pool()
  try {
    return await Promise.all(state.servers.map((server) => checked(pool, { state, server, log })))
  } finally {
    await pool.close()
  }
}

interface Checking {
  readonly state: McpState
  readonly server: ServerSettings
  readonly log: Log
}

async function checked(pool: Pool, { state, server, log }: Checking): Promise<ServerState> {
  const { name } = server
  const reached = reachedText(server)
  const session = pool.sessionOf(server, state)
  session.use(log)
  try {
    const use = await session.begin()
    const listed = await session.tools()
    const version = use.client.getServerVersion()
    const protocol = use.client.getNegotiatedProtocolVersion()
    use.done()
    return {
      name,
      reached,
      tools: shownTools(offerOf([{ server, listed }])),
      ...(version ? { server: oneLine(`${version.name} ${version.version}`) } : {}),
      ...(protocol === undefined ? {} : { protocol }),
    }
  } catch (error) {
    return { name, reached, tools: [], problem: messageOf(error) }
  }
}

function shownTools({ schemas }: Offer): ServerState['tools'] {
  return schemas.map(({ name, unavailable }) => ({ name, unavailable }))
}

/** Neither environment nor headers nor query: these may have secrets. */
function reachedText({ reached }: ServerSettings): string {
  if (reached.kind === 'stdio') return oneLine([reached.command, ...reached.args].join(' '))
  const { origin, pathname } = new URL(reached.url)
  return `${origin}${pathname}`
}
