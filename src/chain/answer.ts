import { eventsOfAll, type Message } from '../events/index.ts'
import { abortError, hasHook, readChunks } from '../plugin/internal.ts'
import type { OfferedTool } from '../schema/offered-tools.ts'
import { ChunkSteps } from './chunks.ts'
import { type Answered, finish } from './finish.ts'
import { type Prepared, prepare } from './prepare.ts'
import { type ChainRequest, createTurn, frameOf, providerHook, type Turn } from './request.ts'

/** How a request ended: its core finals, and native and state as they then stood. */
export interface Outcome extends Answered {
  /** The tools that the model was offered. */
  readonly tools: readonly OfferedTool[]
}

export type Mode = 'send' | 'stream'

/** Most chunks of one pull that run before the reader is asked again. */
const MOST_CHUNKS = 64

/**
 * The one engine behind `send` and `stream`: yields core partials as they come, a list a pull, and
 * returns the outcome. In `send` a provider with `call` yields none. CL-35, CL-38, CL-40, CL-45
 */
export async function* answer(
  request: ChainRequest,
  mode: Mode,
): AsyncGenerator<readonly unknown[], Outcome, undefined> {
  const turn = createTurn(request)
  const prepared = await prepare(turn)
  throwIfAborted(turn)
  const { provider } = request.plugins
  const calls = mode === 'send' ? hasHook(provider, 'call') : !hasHook(provider, 'stream')
  if (calls) {
    const answered = await finish(turn, await call(turn, prepared))
    if (mode === 'stream') yield partialsOf(turn, answered.finals)
    return { ...answered, tools: prepared.tools }
  }

  const steps = new ChunkSteps(turn, prepared)
  for await (const pulled of await openStream(turn, prepared)) {
    for (const chunks of groupsOf(pulled)) {
      const partials: unknown[] = []
      const failure = await failureOf(steps, chunks, partials)
      if (partials.length > 0) yield partials
      if (failure) throw failure.thrown
    }
  }
  throwIfAborted(turn)
  return { ...(await finish(turn, steps.answered())), tools: prepared.tools }
}

/** Runs chunks; what they threw, so that what came before it is shown before the request fails. */
async function failureOf(
  steps: ChunkSteps,
  chunks: readonly unknown[],
  partials: unknown[],
): Promise<{ readonly thrown: unknown } | undefined> {
  try {
    await steps.process(chunks, partials)
    return undefined
  } catch (thrown) {
    return { thrown }
  }
}

/** One chunk, or several that arrived together, in groups of at most MOST_CHUNKS. */
function groupsOf(pulled: unknown): readonly (readonly unknown[])[] {
  if (!Array.isArray(pulled)) return [[pulled]]
  if (pulled.length <= MOST_CHUNKS) return [pulled]
  const count = Math.ceil(pulled.length / MOST_CHUNKS)
  return Array.from({ length: count }, (_, at) =>
    pulled.slice(at * MOST_CHUNKS, (at + 1) * MOST_CHUNKS),
  )
}

async function call(turn: Turn, { native, state }: Prepared): Promise<Answered> {
  const run = providerHook(turn, 'call', 'finals')
  if (!run) return { finals: [], native, state }
  const [, finals, nativeAfter, stateAfter] = await run(native, state)
  throwIfAborted(turn)
  return { finals, native: nativeAfter, state: stateAfter }
}

async function openStream(
  turn: Turn,
  { native, state }: Prepared,
): Promise<AsyncIterable<unknown>> {
  const run = providerHook(turn, 'stream', 'partials')
  const chunks = run ? await run(native, state) : []
  return readChunks(frameOf(turn, turn.request.plugins.provider, 'partials'), chunks)
}

/** The finals of a call, shown as a stream. */
function partialsOf({ request }: Turn, finals: readonly unknown[]): readonly unknown[] {
  return request.partials === 'events' ? eventsOfAll(finals as readonly Message[]) : finals
}

function throwIfAborted({ request: { signal } }: Turn): void {
  if (signal?.aborted) throw abortError(signal)
}
