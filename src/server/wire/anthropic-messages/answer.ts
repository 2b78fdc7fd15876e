import type { Part, SourcePart } from '@braidwork/plugin'
import {
  type AnswerEncoder,
  type HostCall,
  hostCallsIn,
  isClientCall,
  type RunFacts,
  type ShownAnswer,
  sourcesBehind,
  WholeAnswer,
  type WireAnswer,
  withStepTexts,
} from '../index.ts'
import {
  citationOf,
  citationsIn,
  hostCallBlocks,
  inputOf,
  type MessageOptions,
  messageHead,
  ownBlock,
  redactedBlock,
  type ShownThinking,
  signatureIn,
  stopOf,
  UNSIGNED,
  usageOf,
} from './blocks.ts'
import { anthropicErrorAnswer } from './error.ts'

/** Encodes a whole run as one message. */
export function anthropicMessagesAnswer(
  facts: RunFacts,
  { showsHostCalls = true, thinking = 'whole' }: MessageOptions = {},
): AnswerEncoder {
  return new WholeAnswer(facts, {
    whole: (answer) => {
      const all = withStepTexts(answer.all, facts)
      const shown = showsHostCalls ? all : all.filter(({ role }) => role === 'assistant')
      return wholeOf({ ...answer, all: shown }, facts, thinking)
    },
    error: (error, { runId }) => anthropicErrorAnswer(error, runId),
  })
}

function wholeOf(
  { messages, all, finish }: ShownAnswer,
  facts: RunFacts,
  thinking: ShownThinking,
): WireAnswer {
  const hostCalls = hostCallsIn(all, (name) => facts.clientTools.has(name))
  const content = all.flatMap(({ role, parts }) => {
    if (role === 'tool') return parts.flatMap((part) => blocksOfHost(hostCalls.get(part)))
    if (role !== 'assistant') return []
    const sources = sourcesBehind(parts, isApart)
    return parts.flatMap((part, at) =>
      part.type === 'reasoning'
        ? thinkingBlocks(part, thinking)
        : blocksOf(part, sources[at] ?? [], facts),
    )
  })
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => isClientCall(part, facts)))
  const body = {
    ...messageHead(facts),
    content,
    ...stopOf(finish.finishReason, calls.length, messages.at(-1)?.metadata),
    stop_details: null,
    usage: usageOf(finish.usage, finish.messages),
  }
  return { status: 200, headers: {}, body }
}

function blocksOfHost(call: HostCall | undefined): readonly object[] {
  return call ? hostCallBlocks(call) : []
}

/** @param sources the sources directly after the part, which become the citations of a text */
function blocksOf(part: Part, sources: readonly SourcePart[], facts: RunFacts): readonly object[] {
  if (part.type === 'text') return textBlocks(part, sources)
  if (!isClientCall(part, facts)) return []
  const { callId: id, name, input } = part
  return [{ type: 'tool_use', id, name, input: inputOf(input) }]
}

function textBlocks(
  { text, providerMetadata }: Extract<Part, { type: 'text' }>,
  sources: readonly SourcePart[],
): readonly object[] {
  if (text === '') return []
  const own = citationsIn(ownBlock(providerMetadata))
  const citations = own.length > 0 ? own : sources.flatMap((source) => citationOf(source) ?? [])
  // Absent and not null: the API leaves it out too, and clients of AI SDK 5 and 6 accept no null here.
  return [{ type: 'text', text, ...(citations.length > 0 ? { citations } : {}) }]
}

function isApart({ type }: Part): boolean {
  return type !== 'file' && type !== 'data'
}

function thinkingBlocks(
  { text, providerMetadata }: Extract<Part, { type: 'reasoning' }>,
  shown: ShownThinking,
): readonly object[] {
  if (shown === 'none') return []
  const block = ownBlock(providerMetadata)
  const redacted = text === '' ? redactedBlock(block) : undefined
  if (redacted) return [redacted]
  const signature = signatureIn(block)
  if (text === '' && signature === '') return []
  const thinking = shown === 'omitted' ? '' : text
  return [{ type: 'thinking', thinking, signature: signature || UNSIGNED }]
}
