import type { Part, TextPart, ToolCallPart } from '@braidwork/plugin'
import {
  type AnswerEncoder,
  defined,
  endsRefused,
  finishOfRefusal,
  isClientCall,
  isRefusal,
  openAIErrorAnswer,
  type RunFacts,
  type ShownAnswer,
  WholeAnswer,
  type WireAnswer,
  withStepTexts,
} from '../index.ts'
import { annotationOf, finishReasonOf, headOf, usageOf } from './chunk.ts'

/** Encodes a whole run as one chat completion. */
export function chatCompletionAnswer(facts: RunFacts): AnswerEncoder {
  return new WholeAnswer(facts, { whole: wholeOf, error: openAIErrorAnswer })
}

function wholeOf({ all, finish }: ShownAnswer, facts: RunFacts): WireAnswer {
  const shown = withStepTexts(all, facts).filter(({ role }) => role === 'assistant')
  const parts = shown.flatMap((message) => message.parts)
  const message = messageOf(parts, facts)
  const { finishReason, usage } = endsRefused(parts) ? finishOfRefusal(finish) : finish
  const calls = message.tool_calls?.length ?? 0
  const finish_reason = finishReasonOf(finishReason, calls)
  const body = {
    ...headOf(facts, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usageOf(usage),
  }
  return { status: 200, headers: {}, body }
}

function messageOf(parts: readonly Part[], facts: RunFacts) {
  const text = textIn(parts, isContent)
  const refusal = textIn(parts, isRefusalText)
  const reasoning = textIn(parts, ({ type }) => type === 'reasoning')
  const calls = parts.flatMap((part) => (isClientCall(part, facts) ? [callOf(part)] : []))
  const annotations = annotationsOf(parts)
  return defined({
    role: 'assistant' as const,
    content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
    refusal: refusal || null,
    reasoning_content: reasoning || undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
    annotations: annotations.length > 0 ? annotations : undefined,
  })
}

function textIn(parts: readonly Part[], isMeant: (part: Part) => boolean): string {
  return parts.map((part) => (isMeant(part) && 'text' in part ? part.text : '')).join('')
}

function isContent(part: Part): part is TextPart {
  return part.type === 'text' && !isRefusal(part.providerMetadata)
}

function isRefusalText(part: Part): boolean {
  return part.type === 'text' && isRefusal(part.providerMetadata)
}

function callOf({ callId, name, input }: ToolCallPart) {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return { id: callId, type: 'function' as const, function: { name, arguments: text } }
}

function annotationsOf(parts: readonly Part[]): object[] {
  let length = 0
  return parts.flatMap((part) => {
    if (isContent(part)) length += part.text.length
    return part.type === 'source' ? (annotationOf(part, length) ?? []) : []
  })
}
