import type { Context } from '@braidwork/plugin'
import { type Plan, planAnswer } from './answer.ts'
import { chunksOf } from './chunks.ts'
import { providerError } from './errors.ts'
import { Gathering } from './gathering.ts'
import type { Chunk, NativeAnswer } from './native.ts'
import { Pacer, stall } from './pause.ts'
import type { ScriptedRequest } from './request.ts'
import type { Fault } from './script.ts'

/** Returns the whole answer at once. */
export async function callAnswer(
  request: ScriptedRequest,
  context: Context,
): Promise<NativeAnswer> {
  const plan = planAnswer(request, context.modelInfo.contextWindow)
  const fault = await dueFault(plan, context)
  if (fault) await fail(fault, context.signal)
  const gathering = new Gathering()
  for (const chunk of chunksOf(plan)) gathering.add(chunk)
  if (!gathering.answer) throw providerError('cut')
  return gathering.answer
}

/** Streams the answer chunk by chunk, at the configured pace, until a fault is due. */
export async function* streamAnswer(
  request: ScriptedRequest,
  context: Context,
): AsyncGenerator<Chunk, void, undefined> {
  const plan = planAnswer(request, context.modelInfo.contextWindow)
  const fault = await dueFault(plan, context)
  const faultAt = fault ? (fault.after_chunks ?? 0) : Infinity
  const pacer = new Pacer(request.delay_ms, context.signal)
  try {
    for (const [index, chunk] of chunksOf(plan).entries()) {
      if (index >= faultAt) break
      if (index > 0 && request.delay_ms > 0) await pacer.wait()
      // A fault that is due after the last chunk occurs instead of the `end` chunk.
      if (fault && chunk.type === 'end') break
      yield chunk
    }
  } finally {
    pacer.end()
  }
  if (fault?.type === 'malformed') yield MALFORMED
  else if (fault && fault.type !== 'cut') await fail(fault, context.signal)
}

/** A truncated chunk, as from a connection that lost bytes. */
const MALFORMED = '{"type":"text","index":0,"te' as unknown as Chunk

/** Throws a fault. A `cut` fault just ends a stream; a request without streaming gets it as an error. */
async function fail(fault: Fault, signal: AbortSignal): Promise<never> {
  if (fault.type === 'stall') return stall(signal)
  throw providerError(fault.type, undefined, fault.retry_after)
}

/** The fault of a plan, unless it has already occurred as often as it should in this conversation. */
async function dueFault(
  { fault, faultKey }: Plan,
  { storage }: Context,
): Promise<Fault | undefined> {
  if (fault?.times === undefined) return fault
  const count = Number((await storage.get(faultKey)) ?? 0)
  if (count >= fault.times) return undefined
  await storage.set(faultKey, count + 1)
  return fault
}
