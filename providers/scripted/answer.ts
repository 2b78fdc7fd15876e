import type { Draft } from './draft.ts'
import { providerError } from './errors.ts'
import { followScript } from './follow-script.ts'
import { limitContent } from './limit-content.ts'
import type { Content, NativeAnswer, NativeUsage } from './native.ts'
import type { ScriptedRequest } from './request.ts'
import type { Fault } from './script.ts'
import { countContent, countInput } from './tokens.ts'
import { answerFromTranscript } from './transcript-answer.ts'
import { readTurn } from './turn.ts'

/** An answer, and how to deliver it. */
export interface Plan {
  readonly answer: NativeAnswer
  /** The sizes of the text pieces in characters; by default one word each. */
  readonly chunks?: readonly number[]
  readonly fault?: Fault
  /** Identifies the fault when occurrences are counted. */
  readonly faultKey: string
}

/**
 * Plans the answer to a request. The same request always gets the same answer.
 * @throws INVALID_REQUEST, CONTEXT_OVERFLOW
 */
export function planAnswer(request: ScriptedRequest, contextWindow = Infinity): Plan {
  checkToolChoice(request)
  const turn = readTurn(request.messages)
  const input = countInput(request.messages, request.tools)
  if (input > contextWindow) {
    throw providerError(
      'context-overflow',
      `the request has ${input} tokens, more than the ${contextWindow} of the context window of "${request.model}"`,
    )
  }
  const fromTranscript = () => answerFromTranscript(request, turn)
  const draft: Draft = followScript(request, turn, fromTranscript) ?? { content: fromTranscript() }
  const fault = draft.fault ?? request.fault
  return {
    answer: finishAnswer(draft, request, input),
    faultKey: draft.fault ? `fault-${draft.rule}` : 'fault',
    ...(draft.chunks ? { chunks: draft.chunks } : {}),
    ...(fault ? { fault } : {}),
  }
}

function finishAnswer(draft: Draft, request: ScriptedRequest, input: number): NativeAnswer {
  const { content, ended } = limitContent(draft.content, request)
  const callsTools = content.some((part) => part.type === 'tool_call' && !part.provider_executed)
  return {
    role: 'assistant',
    content,
    finish_reason: ended ?? draft.finish_reason ?? (callsTools ? 'tool-calls' : 'stop'),
    usage: draft.usage ?? usageOf(content, input),
    ...(draft.metadata ? { metadata: draft.metadata } : {}),
  }
}

function usageOf(content: readonly Content[], input: number): NativeUsage {
  const output = sum(content.filter(({ type }) => isGenerated(type)))
  const reasoning = sum(content.filter(({ type }) => type === 'reasoning'))
  return reasoning === 0 ? { input, output } : { input, output, reasoning }
}

function isGenerated(type: Content['type']): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool_call'
}

function sum(content: readonly Content[]): number {
  return content.reduce((total, part) => total + countContent(part), 0)
}

function checkToolChoice({ tool_choice: choice, tools }: ScriptedRequest): void {
  if (typeof choice !== 'object' || tools.some(({ name }) => name === choice.tool)) return
  const offered =
    tools.length === 0
      ? 'none is offered'
      : `offered are ${tools.map(({ name }) => name).join(', ')}`
  throw providerError(
    'invalid-request',
    `"tool_choice" names the tool "${choice.tool}", but ${offered}`,
  )
}
