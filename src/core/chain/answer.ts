import { eventsOfAll, type Message } from '@braidwork/plugin'
import {
  abortError,
  hasHook,
  limitError,
  readAnswerChunks,
  type Sink,
  settle,
} from '../hooks/index.ts'
import type { OfferedTool } from '../tool-schemas/index.ts'
import { ChunkSteps } from './chunks.ts'
import { type Answered, finish } from './finish.ts'
import { type Prepared, prepare } from './prepare.ts'
import { type Bound, bindRequest, type ChainRequest, frameOf, providerHook } from './request.ts'

/** The outcome of a request: its core finals, and the native request and state at the end. */
export interface Outcome extends Answered {
  /** The tools that the model was offered. */
  readonly tools: readonly OfferedTool[]
}

export type Mode = 'send' | 'stream'

/**
 * The one engine behind `send` and `stream`. It passes core partials to the sink, a list for each pull of the provider,
 * and returns the outcome. In `send`, a provider with `call` produces no partials. CL-35, CL-38, CL-40, CL-45
 */
export async function answer(
  request: ChainRequest,
  mode: Mode,
  sink: Sink<readonly unknown[]>,
): Promise<Outcome> {
  const bound = bindRequest(request)
  const prepared = await prepare(bound)
  throwIfAborted(bound)
  if (request.onPrepared) await request.onPrepared()
  const whole = isWhole(request, mode)
  const answered = whole ? await call(bound, prepared) : await streamed(bound, prepared, sink)
  throwIfAborted(bound)
  const finished = await finish(bound, answered)
  if (whole && mode === 'stream') await sink(partialsOf(bound, finished.finals))
  return { ...finished, tools: prepared.tools }
}

async function streamed(
  bound: Bound,
  prepared: Prepared,
  sink: Sink<readonly unknown[]>,
): Promise<Answered> {
  const steps = new ChunkSteps(bound, prepared, sink)
  const { native, state } = prepared
  const run = providerHook(bound, 'stream', 'partials')
  const chunks = run ? await run(native, state) : []
  const frame = frameOf(bound, bound.request.plugins.provider, 'partials')
  await readAnswerChunks(frame, chunks, steps)
  await steps.end()
  return steps.answered()
}

/** Whether the provider is asked for a whole answer instead of a stream. */
function isWhole({ plugins: { provider } }: ChainRequest, mode: Mode): boolean {
  return mode === 'send' ? hasHook(provider, 'call') : !hasHook(provider, 'stream')
}

async function call(bound: Bound, { native, state }: Prepared): Promise<Answered> {
  const run = providerHook(bound, 'call', 'finals')
  if (!run) return { finals: [], native, state }
  const [, finals, nativeAfter, stateAfter] = await inTime(bound, run(native, state))
  return { finals, native: nativeAfter, state: stateAfter }
}

/** Applies the limit for a whole answer to a call, if it is shorter than the limit for calls. */
function inTime<T>({ limits, request }: Bound, answered: T | Promise<T>): T | Promise<T> {
  if (limits.answer >= limits.call || !(answered instanceof Promise)) return answered
  return settle(answered, {
    seconds: limits.answer,
    toLate: () => limitError(limits, 'answer', request.plugins.provider.name),
  })
}

/** The finals of a call as partials, for a reader that wants a stream. */
function partialsOf({ request }: Bound, finals: readonly unknown[]): readonly unknown[] {
  return request.partials === 'events' ? eventsOfAll(finals as readonly Message[]) : finals
}

function throwIfAborted({ request: { signal } }: Bound): void {
  if (signal?.aborted) throw abortError(signal)
}
