import { HostError } from '../../../src/plugin/errors.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import {
  anthropicErrorAnswer,
  anthropicMessagesAnswer,
  anthropicMessagesEncoder,
  decodeAnthropicMessages,
  messageOptionsOf,
} from '../../../src/server/wire/anthropic-messages/index.ts'
import {
  chatCompletionAnswer,
  chatCompletionEncoder,
  decodeChatCompletion,
} from '../../../src/server/wire/chat-completions/index.ts'
import { openAIErrorAnswer } from '../../../src/server/wire/openai-error.ts'
import type { RunFacts, StreamEncoder, WireAnswer } from '../../../src/server/wire/protocol.ts'
import { type PublicError, publicError } from '../../../src/server/wire/public-error.ts'
import {
  decodeResponses,
  responsesAnswer,
  responsesEncoder,
} from '../../../src/server/wire/responses/index.ts'
import type { AnswerEncoder } from '../../../src/server/wire/whole-answer.ts'
import { AnthropicMessagesChecker } from './anthropic-messages/checker.ts'
import type { Served } from './api-server.ts'
import { ChatCompletionChecker } from './chat-completions/checker.ts'
import { ResponsesChecker } from './responses/checker.ts'
import { factsOf } from './runs.ts'

/** A protocol of a model API, as a server speaks it. */
export interface ApiProtocol {
  decode(body: unknown): { readonly isStreaming: boolean }
  /** @param body of the request, where it says how the stream is to be */
  encoder(facts: RunFacts, body?: unknown): StreamEncoder
  checker(): { check(text: string): void; end(): void }
  whole(facts: RunFacts): AnswerEncoder
  errorAnswer(error: PublicError): WireAnswer
}

export const CHAT_COMPLETIONS: ApiProtocol = {
  decode: decodeChatCompletion,
  encoder: (facts, body) => {
    const includesUsage = body === undefined || decodeChatCompletion(body).includesUsage
    return chatCompletionEncoder(facts, { includesUsage })
  },
  checker: () => new ChatCompletionChecker(),
  whole: chatCompletionAnswer,
  errorAnswer: openAIErrorAnswer,
}

export const ANTHROPIC_MESSAGES: ApiProtocol = {
  decode: decodeAnthropicMessages,
  encoder: (facts, body) => {
    const { eagerTools } = body === undefined ? { eagerTools: [] } : decodeAnthropicMessages(body)
    return anthropicMessagesEncoder(facts, messageOptionsOf({ eagerTools, thinking: 'whole' }))
  },
  checker: () => new AnthropicMessagesChecker(),
  whole: anthropicMessagesAnswer,
  errorAnswer: anthropicErrorAnswer,
}

export const RESPONSES: ApiProtocol = {
  decode: decodeResponses,
  encoder: (facts) => responsesEncoder(facts),
  checker: () => new ResponsesChecker(),
  whole: (facts) => responsesAnswer(facts),
  errorAnswer: openAIErrorAnswer,
}

/** A run as frames that the protocol's checker lets out. */
export function framesOf(
  { encoder, checker }: Pick<ApiProtocol, 'encoder' | 'checker'>,
  events: readonly RunEvent[],
  facts: RunFacts = factsOf(),
  body?: unknown,
): readonly string[] {
  const encoding = encoder(facts, body)
  const checking = checker()
  const frames = events.map((event) => encoding.encode(event))
  for (const frame of frames) checking.check(frame)
  checking.end()
  return frames
}

/** What a server answers a request with whose run is this one. */
export function answerOf(
  protocol: ApiProtocol,
  body: unknown,
  events: readonly RunEvent[],
  facts: RunFacts = factsOf(),
): Served {
  try {
    if (protocol.decode(body).isStreaming) return framesOf(protocol, events, facts, body)
    const whole = protocol.whole(facts)
    for (const event of events) whole.add(event)
    return whole.answer()
  } catch (error) {
    if (!HostError.is(error)) throw error
    return protocol.errorAnswer(publicError(error))
  }
}
