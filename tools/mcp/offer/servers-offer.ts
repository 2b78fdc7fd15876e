import type { ActionContext } from '@braidwork/plugin'
import { messageOf } from '../connection/connection.ts'
import { Problem } from '../problem.ts'
import type { Pool } from '../sessions/pool.ts'
import type { McpState, ServerSettings } from '../settings.ts'
import { type Offer, offerOf, type ServerOffer } from './offered.ts'

/** The default of `limits.hook`, in seconds. */
const USUAL_HOOK_LIMIT = 30
/** The part of the host's limit for a hook that a server may take to start. */
const SHARE = 0.8
const OFFER = 'offer'
/** Where to read the last words of a server. They are not told to callers: they may hold secrets of the operator. */
const WORDS_AT = '"braidwork mcp check" and the log show what it wrote to standard error.'

/**
 * The tools of all servers in use. They are fixed for an opened config, whatever servers do meanwhile. Servers that are
 * not there by the end of the wait make their tools unavailable, with the reason, and go on starting. LR-17
 */
export async function serversOffer(
  pool: Pool,
  state: McpState,
  context: ActionContext,
): Promise<Offer> {
  const known = context.local.get(OFFER) as Offer | undefined
  if (known) return known
  const ms =
    1_000 * Math.min(state.start, SHARE * (context.config.limits?.hook ?? USUAL_HOOK_LIMIT))
  const asked = state.servers.map((server) => serverOffer({ pool, state, context, ms }, server))
  const offer = offerOf(await Promise.all(asked))
  for (const warning of offer.warnings) context.warn(warning)
  context.local.set(OFFER, offer)
  return offer
}

interface Asking {
  readonly pool: Pool
  readonly state: McpState
  readonly context: ActionContext
  /** The most milliseconds to wait for a server. */
  readonly ms: number
}

async function serverOffer(
  { pool, state, context, ms }: Asking,
  server: ServerSettings,
): Promise<ServerOffer> {
  const session = pool.sessionOf(server, state)
  session.use(context.log)
  const { signal } = context
  try {
    return { server, listed: await within(session.tools(), { ms, signal }) }
  } catch (error) {
    if (signal.aborted) throw error
    const words = error instanceof Problem ? error.words : ''
    const where = words === '' ? '' : `. ${WORDS_AT}`
    const away = `The MCP server "${server.name}" is not available: ${messageOf(error)}${where}`
    context.warn(away)
    return { server, listed: session.knownTools, away }
  }
}

interface Wait {
  readonly ms: number
  readonly signal: AbortSignal
}

/** Waits for work, but neither longer than a time nor beyond a cancellation. The work goes on. */
export async function within<T>(work: Promise<T>, { ms, signal }: Wait): Promise<T> {
  work.catch(() => undefined)
  signal.throwIfAborted()
  let end: () => void = () => undefined
  const over = new Promise<never>((_resolve, reject) => {
    const cancel = () => reject(signal.reason as Error)
    const late = `it is still starting after ${Number((ms / 1_000).toFixed(1))} s.`
    const timer = setTimeout(() => reject(new Error(late)), ms)
    signal.addEventListener('abort', cancel, { once: true })
    end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
  })
  try {
    return await Promise.race([work, over])
  } finally {
    end()
  }
}
