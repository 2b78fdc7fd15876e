import type { OpenedConfig, Result } from '@braidwork/core'
import { isEnding, type StreamEvent } from '@braidwork/plugin'
import type { GenerateResult, StreamPart } from './answer-types.ts'
import type { CallOptions } from './call-types.ts'
import { contentsOf } from './content.ts'
import { reasonOf, responseOf, usageOf } from './ending.ts'
import { type Asked, ask, failureOf } from './request.ts'
import { AnswerParts } from './stream-parts.ts'

/** Converts a part to one version of the AI SDK. Undefined for a part that the version does not have. */
export type ToPart<P> = (part: StreamPart) => P | undefined

/**
 * Asks for a whole answer.
 * @throws {ModelCallError} what the model API does; {HostError} all else; the reason of the signal if it aborts
 */
export async function generate(
  opened: OpenedConfig,
  options: CallOptions,
): Promise<GenerateResult> {
  const { stream, context, warnings, end } = await ask(opened, options, 'send')
  try {
    const result = await stream.result
    if (result.status !== 'done') throw failureOf(result, options)
    const { messages, finishReason, usage } = result
    const response = responseOf(messages.at(-1)?.metadata)
    return {
      content: contentsOf(messages, context),
      finishReason: reasonOf(finishReason),
      usage: usageOf(usage),
      warnings,
      ...(response ? { response } : {}),
    }
  } finally {
    end()
  }
}

/**
 * Asks for a stream. It resolves with the first event of the answer, so that the AI SDK can repeat a request that fails
 * before.
 * @throws like {@link generate}
 */
export async function streamed<P>(
  opened: OpenedConfig,
  options: CallOptions,
  toPart: ToPart<P>,
): Promise<ReadableStream<P>> {
  const asked = await ask(opened, options, 'stream')
  const events = asked.stream[Symbol.asyncIterator]()
  try {
    let { value: first } = await events.next()
    while (first?.type === 'start') first = (await events.next()).value
    if (first === undefined || isBroken(first)) {
      throw failureOf(await restOf(asked, events), options)
    }
    return partStream({ asked, first, events, options, toPart })
  } catch (error) {
    asked.end()
    throw error
  }
}

interface Reading<P> {
  readonly asked: Asked
  readonly first: StreamEvent
  readonly events: Events
  readonly options: CallOptions
  readonly toPart: ToPart<P>
}

function partStream<P>(reading: Reading<P>): ReadableStream<P> {
  const { asked, events } = reading
  const convert = converter(reading)
  let held: StreamEvent | undefined = reading.first
  const next = async (): Promise<StreamEvent | undefined> => {
    const event = held ?? (await events.next()).value
    held = undefined
    return event
  }
  const pull = async (controller: ReadableStreamDefaultController<P>): Promise<void> => {
    // A pull that adds nothing is not repeated, so it goes on until there is a part.
    for (let event = await next(); event; event = await next()) {
      const made = await convert(event)
      for (const part of made) controller.enqueue(part)
      if (isEnding(event)) break
      if (made.length > 0) return
    }
    asked.end()
    controller.close()
  }
  const cancel = async (): Promise<void> => {
    await events.return?.()
    asked.end()
  }
  return new ReadableStream<P>({ pull, cancel }, { highWaterMark: 0 })
}

/** Converts events to parts. The first list begins with the warnings. */
function converter<P>({
  asked,
  events,
  options,
  toPart,
}: Reading<P>): (event: StreamEvent) => Promise<P[]> {
  const parts = new AnswerParts(asked.context)
  let before: StreamPart[] = [{ type: 'stream-start', warnings: asked.warnings }]
  return async (event) => {
    const raw: StreamPart[] = options.includeRawChunks ? [{ type: 'raw', rawValue: event }] : []
    const made = isBroken(event) ? await brokenOff(asked, events, options) : parts.of(event)
    const all = [...before, ...raw, ...made]
    before = []
    return all.flatMap((part) => toPart(part) ?? [])
  }
}

function isBroken({ type }: StreamEvent): boolean {
  return type === 'error' || type === 'abort'
}

type Events = AsyncIterator<StreamEvent, undefined>

/** The result of a request whose ending was read. The request waits with it until its reader has left. */
async function restOf({ stream }: Asked, events: Events): Promise<Result> {
  while (!(await events.next()).done);
  return stream.result
}

/** The parts for an answer that fails after its beginning. @throws the reason of the signal if it aborted */
async function brokenOff(
  asked: Asked,
  events: Events,
  options: CallOptions,
): Promise<StreamPart[]> {
  const result = await restOf(asked, events)
  const error = failureOf(result, options)
  if (options.abortSignal?.aborted) {
    asked.end()
    throw error
  }
  return [
    { type: 'error', error },
    { type: 'finish', finishReason: reasonOf('error'), usage: usageOf(result.usage) },
  ]
}
