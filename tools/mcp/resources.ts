import { type ActionContext, isObject } from '@braidwork/plugin'
import { messageOf } from './connection/connection.ts'
import { resourceText } from './content.ts'
import { within } from './offer/servers-offer.ts'
import { pool } from './sessions/shared-pool.ts'
import type { McpState } from './settings.ts'
import { stateIn } from './used-servers.ts'
import { oneLine } from './visible.ts'

/** A resource of a server, by the server's name in the config. */
export interface WantedResource {
  readonly server: string
  readonly uri: string
}

/** A resource as it was read: its text, or why there is none. What it says is not trusted. */
export type ReadResource = WantedResource & { readonly text?: string; readonly problem?: string }

/** The texts that were read for an opened config. */
const known = new WeakMap<McpState, Map<string, string>>()

/**
 * Reads resources of the MCP servers that an opened config uses, once for all its requests, from the processes and
 * sessions that the tool `mcp` uses.
 * @param context of a hook of any plugin
 * @param ms the most milliseconds to wait for a server
 * @returns undefined if the config does not use the tool `mcp`, or that tool no server
 */
export async function readResources(
  context: Pick<ActionContext, 'modelInfo' | 'signal' | 'log'>,
  wanted: readonly WantedResource[],
  ms: number,
): Promise<readonly ReadResource[] | undefined> {
  const state = stateIn(context)
  if (!state) return undefined
  using linked = linkedSignals(context.signal)
  const reading = { state, log: context.log, ms }
  const work = wanted.map((one) => readOne({ ...reading, signal: linked.signal() }, one))
  return await Promise.all(work)
}

/** Signals that abort with another one, through one listener: Node warns of a leak at the eleventh of a signal. */
function linkedSignals(from: AbortSignal): Disposable & { readonly signal: () => AbortSignal } {
  const cancels: AbortController[] = []
  const abort = () => {
    for (const cancel of cancels) cancel.abort(from.reason)
  }
  from.addEventListener('abort', abort, { once: true })
  return {
    signal() {
      const cancel = new AbortController()
      cancels.push(cancel)
      if (from.aborted) cancel.abort(from.reason)
      return cancel.signal
    },
    [Symbol.dispose]: () => from.removeEventListener('abort', abort),
  }
}

interface Reading {
  readonly state: McpState
  readonly signal: AbortSignal
  readonly log: ActionContext['log']
  readonly ms: number
}

async function readOne(reading: Reading, wanted: WantedResource): Promise<ReadResource> {
  const { state, signal } = reading
  const key = JSON.stringify([wanted.server, wanted.uri])
  const texts = known.get(state) ?? new Map<string, string>()
  known.set(state, texts)
  try {
    const text = texts.get(key) ?? (await textOf(reading, wanted))
    texts.set(key, text)
    return { ...wanted, text }
  } catch (error) {
    signal.throwIfAborted()
    return { ...wanted, problem: messageOf(error) }
  }
}

async function textOf(
  { state, signal, log, ms }: Reading,
  wanted: WantedResource,
): Promise<string> {
  const server = state.servers.find(({ name }) => name === wanted.server)
  if (!server) throw new Error(`there is no MCP server "${oneLine(wanted.server)}"`)
  const session = pool.sessionOf(server, state)
  session.use(log)
  const work = session.with((client) => client.readResource({ uri: wanted.uri }, { signal }))
  const { contents } = await within(work, { ms, signal })
  const texts = contents.flatMap((one: unknown) => (isObject(one) ? (resourceText(one) ?? []) : []))
  if (texts.length > 0) return texts.join('\n')
  throw new Error('it has no text')
}
