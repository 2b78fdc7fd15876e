import { eventsOfAll, type Message } from '@braidwork/plugin'
import {
  abortError,
  hasHook,
  limitError,
  Progress,
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

/** The most chunks of one pull that run before the reader gets their events. */
const MOST_CHUNKS = 64

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
  const steps = new ChunkSteps(bound, prepared)
  const { native, state } = prepared
  const run = providerHook(bound, 'stream', 'partials')
  const chunks = run ? await run(native, state) : []
  const frame = frameOf(bound, bound.request.plugins.provider, 'partials')
  const progress = new Progress(bound.limits, frame.plugin.name)
  const counted: Sink<readonly unknown[]> = (partials) => {
    progress.addPartials(partials)
    return sink(partials)
  }
  const take = (pulled: unknown): undefined | Promise<void> => {
    const group: readonly unknown[] = Array.isArray(pulled) ? pulled : [pulled]
    progress.addChunks(group.length)
    return group.length > MOST_CHUNKS
      ? runGroups(steps, group, counted)
      : runChunks(steps, group, counted)
  }
  await readAnswerChunks(frame, chunks, { take, progress })
  return steps.answered()
}

/** Runs chunks that arrived together, at most MOST_CHUNKS at a time. */
async function runGroups(
  steps: ChunkSteps,
  chunks: readonly unknown[],
  sink: Sink<readonly unknown[]>,
): Promise<void> {
  for (let at = 0; at < chunks.length; at += MOST_CHUNKS) {
    await runChunks(steps, chunks.slice(at, at + MOST_CHUNKS), sink)
  }
}

/** Runs chunks and passes their partials to the sink. Waits only for promises. */
function runChunks(
  steps: ChunkSteps,
  chunks: readonly unknown[],
  sink: Sink<readonly unknown[]>,
): undefined | Promise<void> {
  const partials: unknown[] = []
  const shown = () => (partials.length > 0 ? sink(partials) : undefined)
  let ran: undefined | Promise<undefined>
  try {
    ran = steps.process(chunks, partials)
  } catch (thrown) {
    return failAfter(shown(), thrown)
  }
  return ran ? ran.then(shown, (thrown: unknown) => failAfter(shown(), thrown)) : shown()
}

/** Fails the request after the partials before the failure have been shown. */
async function failAfter(shown: undefined | Promise<void>, thrown: unknown): Promise<never> {
  await shown
  throw thrown
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
