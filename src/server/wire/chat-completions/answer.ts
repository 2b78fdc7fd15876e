import type { Part, ToolCallPart } from '@braidwork/plugin'
import {
  type AnswerEncoder,
  defined,
  isClientCall,
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
  const message = messageOf(
    shown.flatMap(({ parts }) => parts),
    facts,
  )
  const calls = message.tool_calls?.length ?? 0
  const finish_reason = finishReasonOf(finish.finishReason, calls)
  const body = {
    ...headOf(facts, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usageOf(finish.usage),
  }
  return { status: 200, headers: {}, body }
}

function messageOf(parts: readonly Part[], facts: RunFacts) {
  const text = textIn(parts, 'text')
  const reasoning = textIn(parts, 'reasoning')
  const calls = parts.flatMap((part) => (isClientCall(part, facts) ? [callOf(part)] : []))
  const annotations = annotationsOf(parts)
  return defined({
    role: 'assistant' as const,
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    reasoning_content: reasoning || undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
    annotations: annotations.length > 0 ? annotations : undefined,
  })
}

function textIn(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

function callOf({ callId, name, input }: ToolCallPart) {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return { id: callId, type: 'function' as const, function: { name, arguments: text } }
}

function annotationsOf(parts: readonly Part[]): object[] {
  let length = 0
  return parts.flatMap((part) => {
    if (part.type === 'text') length += part.text.length
    return part.type === 'source' ? (annotationOf(part, length) ?? []) : []
  })
}
