import { decodeAgUiRequest } from '../../../src/server/wire/ag-ui/index.ts'
import { decodeAnthropicMessages } from '../../../src/server/wire/anthropic-messages/index.ts'
import { decodeChatCompletion } from '../../../src/server/wire/chat-completions/index.ts'
import { decodeResponses } from '../../../src/server/wire/responses/index.ts'
import { decodeUiRequest } from '../../../src/server/wire/ui-message-stream/index.ts'
import { BODIES } from './bodies.ts'
import { itIsLinear } from './subjects.ts'

const DECODE = {
  'chat-completions': decodeChatCompletion,
  responses: decodeResponses,
  'anthropic-messages': decodeAnthropicMessages,
  'ui-message-stream': decodeUiRequest,
  'ag-ui': decodeAgUiRequest,
} as const satisfies { readonly [P in keyof typeof BODIES]: (body: unknown) => unknown }

/** The kinds of bodies that are tried each time. */
const SAMPLE = new Set(['messages of an assistant', 'calls and results', 'calls with one id'])

describe('reading a request takes time that grows as the request does', () => {
  for (const [protocol, bodies] of Object.entries(BODIES)) {
    const decode = DECODE[protocol as keyof typeof DECODE]
    for (const [name, bodyOf] of Object.entries(bodies)) {
      const subject = {
        name: `${protocol}: ${name}`,
        make: (size: number) => {
          const body = bodyOf(size)
          return () => decode(body)
        },
      }
      itIsLinear(subject, SAMPLE.has(name))
    }
  }
})
