import type { StoredRun } from '@braidwork/agent'
import { addUsage, type FinishEvent, HostError, type RunEvent } from '@braidwork/plugin'
import { EVENT_STREAM_HEADERS, type StreamDialect } from '../dialect.ts'
import { PROTOCOLS, type Protocol } from '../options/index.ts'
import { factsOf, orderOf } from '../run-order.ts'
import { AG_UI_HEADERS, agUiEncoder } from '../wire/ag-ui/index.ts'
import { chatCompletionEncoder } from '../wire/chat-completions/index.ts'
import type { RunFacts, StreamEncoder } from '../wire/index.ts'
import { responsesEncoder } from '../wire/responses/index.ts'
import { UI_MESSAGE_STREAM_HEADERS, uiMessageEncoder } from '../wire/ui-message-stream/index.ts'
import { AG_UI_DIALECT } from './ag-ui.ts'
import { ANTHROPIC_DIALECT } from './anthropic.ts'
import { CHAT_UI_DIALECT } from './chat-ui.ts'
import { OPENAI_DIALECT, RESPONSES_DIALECT } from './openai.ts'

/** How each protocol writes a stored run, as its clients are written one that asked without options. */
const DIALECTS: { readonly [P in Protocol]: (run: StoredRun) => StreamDialect } = {
  'ui-message-stream': () => ({
    ...CHAT_UI_DIALECT,
    headers: UI_MESSAGE_STREAM_HEADERS,
    encoder: (facts) => uiMessageEncoder(facts, {}),
  }),
  'ag-ui': () => ({
    ...AG_UI_DIALECT,
    headers: AG_UI_HEADERS,
    encoder: (facts) => agUiEncoder(facts, {}),
  }),
  'chat-completions': () => ({
    ...OPENAI_DIALECT,
    headers: EVENT_STREAM_HEADERS,
    encoder: (facts) => chatCompletionEncoder(facts, { includesUsage: true }),
  }),
  responses: (run) => ({
    ...RESPONSES_DIALECT,
    headers: EVENT_STREAM_HEADERS,
    encoder: (facts) => responsesEncoder(facts, { about: orderOf(run).about ?? {} }),
  }),
  'anthropic-messages': () => ANTHROPIC_DIALECT,
}

/**
 * Writes all legs of a run in a protocol, as one answer: from stored events alone. LR-18
 * @throws {HostError} REQUEST_INVALID for a protocol that the server does not speak
 */
export function replayDialect(run: StoredRun, protocol: string): StreamDialect {
  const known = PROTOCOLS.find((name) => name === protocol)
  if (known === undefined) {
    const message = `"protocol" must be one of ${PROTOCOLS.join(', ')}.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/protocol' })
  }
  const dialect = DIALECTS[known](run)
  return { ...dialect, encoder: (facts: RunFacts) => whole(dialect.encoder(facts), run) }
}

/** The end of an earlier leg is in the middle of the answer: it is not written, but counts with the end of the run. */
function whole(encoder: StreamEncoder, { legSeq }: StoredRun): StreamEncoder {
  let before: Pick<FinishEvent, 'usage' | 'messages'> = { usage: {}, messages: [] }
  return {
    encode: (event) => {
      if (event.type !== 'finish') return encoder.encode(event)
      const { usage, messages } = event
      before = {
        usage: addUsage(before.usage, usage),
        messages: [...before.messages, ...messages],
      }
      return event.seq < legSeq ? '' : encoder.encode({ ...event, ...before })
    },
  }
}

/**
 * The text that a client of a protocol reads of a run, from its stored events alone. LR-18
 * @throws {HostError} REQUEST_INVALID for a protocol that the server does not speak
 */
export function replayed(
  run: StoredRun,
  events: readonly RunEvent[],
  protocol: string,
): readonly string[] {
  const encoder = replayDialect(run, protocol).encoder(factsOf(run))
  return events.map((event) => encoder.encode(event))
}
