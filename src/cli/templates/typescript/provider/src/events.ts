import type { MessageMetadata, PartialEvent } from '@braidwork/plugin'
import type { CallDelta, ChatChunk } from './api.js'

const REASONS: { readonly [reason: string]: NonNullable<MessageMetadata['finishReason']> } = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
}

const TEXT = 'text'

/** The core events of an answer. Each part has a start, deltas and an end. */
export async function* eventsOf(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<PartialEvent> {
  let hasText = false
  let metadata: MessageMetadata = {}
  const calls = new Map<number, OpenCall>()
  for await (const chunk of chunks) {
    const { content, tool_calls: deltas = [] } = chunk.choices?.[0]?.delta ?? {}
    if (content) {
      if (!hasText) yield { type: 'text-start', id: TEXT }
      hasText = true
      yield { type: 'text-delta', id: TEXT, delta: content }
    }
    for (const delta of deltas) yield* callEvents(delta, calls)
    metadata = { ...metadata, ...metadataOf(chunk) }
  }
  if (hasText) yield { type: 'text-end', id: TEXT }
  for (const { id, text } of calls.values()) {
    yield { type: 'tool-call-end', id, input: inputOf(text) }
  }
  yield { type: 'metadata', metadata }
}

function metadataOf({ choices, usage }: ChatChunk): MessageMetadata {
  const reason = choices?.[0]?.finish_reason
  return {
    ...(reason ? { finishReason: REASONS[reason] ?? 'other' } : {}),
    ...(usage ? { usage: { input: usage.prompt_tokens, output: usage.completion_tokens } } : {}),
  }
}

interface OpenCall {
  readonly id: string
  readonly text: string
}

function* callEvents(delta: CallDelta, calls: Map<number, OpenCall>): Generator<PartialEvent> {
  const { index, function: called = {} } = delta
  let call = calls.get(index)
  if (!call) {
    call = { id: delta.id ?? `call-${index}`, text: '' }
    yield { type: 'tool-call-start', id: call.id, name: called.name ?? '' }
  }
  const { arguments: piece = '' } = called
  if (piece !== '') yield { type: 'tool-call-delta', id: call.id, delta: piece }
  calls.set(index, { ...call, text: call.text + piece })
}

/** The arguments of a call; the text itself if the model wrote no JSON. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return text
  }
}
