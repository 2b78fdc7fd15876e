import { type Dialect, EVENT_STREAM_HEADERS } from '../dialect.ts'
import type { Protocol } from '../options/index.ts'
import { sdkVersionOf } from '../sdk-version.ts'
import {
  AG_UI_CAN_RESET,
  AG_UI_HEADERS,
  agUiEncoder,
  agUiErrorAnswer,
  decodeAgUiRequest,
} from '../wire/ag-ui/index.ts'
import {
  anthropicErrorAnswer,
  anthropicMessagesAnswer,
  anthropicMessagesEncoder,
  decodeAnthropicMessages,
  messageOptionsOf,
} from '../wire/anthropic-messages/index.ts'
import {
  chatCompletionAnswer,
  chatCompletionEncoder,
  chatCompletionOptions,
  decodeChatCompletion,
} from '../wire/chat-completions/index.ts'
import {
  type AnswerEncoder,
  canResetParts,
  openAIErrorAnswer,
  type RunFacts,
  responsesErrorAnswer,
  type StreamEncoder,
  type WireRequest,
} from '../wire/index.ts'
import { decodeResponses, responsesAnswer, responsesEncoder } from '../wire/responses/index.ts'
import {
  canResetStep,
  decodeUiRequest,
  UI_MESSAGE_STREAM_HEADERS,
  uiErrorAnswer,
  uiMessageEncoder,
} from '../wire/ui-message-stream/index.ts'

/** A decoded request, with the formats of its answer. */
export interface Formatted {
  readonly asked: WireRequest
  /** Whether the client can discard output that it was shown. */
  readonly canReset: boolean
  /** The id that the client expects the answer to have. By default the answer gets a new one. */
  readonly messageId?: string
  /** The default is that of the format. */
  readonly encoder?: (facts: RunFacts) => StreamEncoder
  /** Absent if the protocol has only streams. */
  readonly whole?: (facts: RunFacts) => AnswerEncoder
}

/** One protocol, for routes without a storage. */
export interface Format extends Dialect {
  readonly headers: { readonly [name: string]: string }
  /** Whether clients own their system messages: those of an API do, those of a chat UI do not. */
  readonly hasSystemMessages: boolean
  readonly encoder: (facts: RunFacts) => StreamEncoder
  /** @throws {HostError} REQUEST_INVALID */
  readonly read: (body: unknown, request: Pick<Request, 'headers' | 'url'>) => Formatted
}

function parted(asked: WireRequest): Pick<Formatted, 'asked' | 'canReset'> {
  return { asked, canReset: canResetParts(asked) }
}

/** The version that the address of a request names, which may be a path alone in a framework. */
function sdkIn(url: string): string | undefined {
  return new URL(url, 'http://localhost').searchParams.get('sdk') ?? undefined
}

const API = { headers: EVENT_STREAM_HEADERS, hasSystemMessages: true } as const

export const FORMATS: { readonly [P in Protocol]: Format } = {
  'ui-message-stream': {
    headers: UI_MESSAGE_STREAM_HEADERS,
    hasSystemMessages: false,
    errorAnswer: uiErrorAnswer,
    encoder: uiMessageEncoder,
    read: (body, { headers, url }) => {
      const asked = decodeUiRequest(body)
      const sdk = sdkVersionOf(sdkIn(url) ?? headers.get('x-braidwork-sdk') ?? undefined)
      const options = sdk === undefined ? {} : { sdk }
      const { continues: messageId } = asked
      return {
        asked,
        canReset: canResetStep(options),
        ...(messageId === undefined ? {} : { messageId }),
        encoder: (facts) => uiMessageEncoder(facts, options),
      }
    },
  },
  'ag-ui': {
    headers: AG_UI_HEADERS,
    hasSystemMessages: false,
    errorAnswer: agUiErrorAnswer,
    encoder: agUiEncoder,
    read: (body) => {
      const asked = decodeAgUiRequest(body)
      const { clientRunId, isBefore1 } = asked
      const encoder = (facts: RunFacts) => agUiEncoder(facts, { clientRunId, isBefore1 })
      return { asked, canReset: AG_UI_CAN_RESET, encoder }
    },
  },
  'chat-completions': {
    ...API,
    errorAnswer: openAIErrorAnswer,
    encoder: chatCompletionEncoder,
    read: (body, request) => {
      const asked = decodeChatCompletion(body)
      const options = chatCompletionOptions(asked, request)
      return {
        ...parted(asked),
        encoder: (facts) => chatCompletionEncoder(facts, options),
        whole: chatCompletionAnswer,
      }
    },
  },
  responses: {
    ...API,
    errorAnswer: responsesErrorAnswer,
    encoder: responsesEncoder,
    read: (body) => ({ ...parted(decodeResponses(body)), whole: responsesAnswer }),
  },
  'anthropic-messages': {
    ...API,
    errorAnswer: anthropicErrorAnswer,
    encoder: anthropicMessagesEncoder,
    read: (body, { headers }) => {
      const asked = decodeAnthropicMessages(body)
      const options = messageOptionsOf(asked, headers.get('anthropic-beta') ?? undefined)
      return {
        ...parted(asked),
        encoder: (facts) => anthropicMessagesEncoder(facts, options),
        whole: (facts) => anthropicMessagesAnswer(facts, options),
      }
    },
  },
}
