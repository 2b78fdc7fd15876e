import {
  Accumulator,
  checkPairs,
  EventChecker,
  eventsOf,
  type Message,
  type Part,
  type PartialEvent,
  type RunEvent,
  type RunEventBody,
  toMessages,
} from '../../../src/plugin/events/index.ts'
import { agUiEncoder } from '../../../src/server/wire/ag-ui/index.ts'
import {
  anthropicMessagesAnswer,
  anthropicMessagesEncoder,
} from '../../../src/server/wire/anthropic-messages/index.ts'
import {
  chatCompletionAnswer,
  chatCompletionEncoder,
} from '../../../src/server/wire/chat-completions/index.ts'
import type { RunFacts, StreamEncoder } from '../../../src/server/wire/protocol.ts'
import { responsesAnswer, responsesEncoder } from '../../../src/server/wire/responses/index.ts'
import { toUiMessages, uiMessageEncoder } from '../../../src/server/wire/ui-message-stream/index.ts'
import type { AnswerEncoder } from '../../../src/server/wire/whole-answer.ts'
import { factsOf, numbered } from '../../server/wire/runs.ts'
import { call, HISTORIES, result, text, times } from './histories.ts'
import { itIsLinear } from './subjects.ts'

/** The kinds of runs that are tried each time. */
const SAMPLE = new Set([
  'calls at the same time',
  'arguments of spaces',
  'arguments that are no JSON',
])

const STOP = { finishReason: 'stop', usage: {} } as const

/** The run of one answer. */
function runOf(parts: readonly Part[], events = eventsOf({ role: 'assistant', parts })) {
  const messages: readonly Message[] = [{ role: 'assistant', parts }]
  const bodies: readonly RunEventBody[] = [
    { type: 'start', requestId: 'r1' },
    { type: 'step-start', step: 1, requestId: 'r1' },
    ...events,
    { type: 'step-finish', step: 1, messages, ...STOP },
  ]
  const results = parts.flatMap((part): RunEventBody[] =>
    part.type === 'tool-call'
      ? [{ type: 'tool-execution-end', callId: part.callId, result: result(0, part.callId) }]
      : [],
  )
  return numbered([...bodies, ...results, { type: 'finish', messages, ...STOP }])
}

/** Parts that all begin before the first of them ends. */
function interleaved(parts: readonly Part[]) {
  const events = parts.map((part, index) =>
    eventsOf({ role: 'assistant', parts: [part] }, `${index}.`),
  )
  const lengths = [0, 1, 2]
  return lengths.flatMap((at) => events.flatMap((own) => own[at] ?? []))
}

/** One part of many deltas. */
function inPieces(type: 'text' | 'tool-call', size: number, delta: string): readonly RunEvent[] {
  const said = delta.repeat(size)
  const part: Part = type === 'text' ? { type, text: said } : { ...call(0), input: said }
  const [start, end] = eventsOf({ role: 'assistant', parts: [part] }).filter(
    (event) => !('delta' in event),
  )
  if (!start || !end || !('id' in start)) throw new Error('a part has a start and an end')
  const piece = { type: `${type}-delta`, id: start.id, delta } as PartialEvent
  return runOf([part], [start, ...Array<PartialEvent>(size).fill(piece), end])
}

const RUNS: { readonly [name: string]: (size: number) => readonly RunEvent[] } = {
  texts: (size) => runOf(times(size, text)),
  calls: (size) => runOf(times(size, (index) => call(index))),
  'texts at the same time': (size) => {
    const parts = times(size, text)
    return runOf(parts, interleaved(parts))
  },
  'calls at the same time': (size) => {
    const parts = times(size, (index) => call(index))
    return runOf(parts, interleaved(parts))
  },
  'a text in pieces': (size) => inPieces('text', size, 'abc'),
  'a text of halves of characters': (size) => inPieces('text', size, '\ud83d'),
  'arguments in pieces': (size) => inPieces('tool-call', size, '{"a'),
  'arguments of spaces': (size) => inPieces('tool-call', size, '   '),
  'arguments that are no JSON': (size) => inPieces('tool-call', size, 'abc'),
  sources: (size) =>
    runOf([
      text(0),
      ...times(size, (index): Part => ({ type: 'source', url: `https://a.b/${index}` })),
    ]),
}

const ENCODERS: { readonly [name: string]: (facts: RunFacts) => StreamEncoder } = {
  'chat-completions': chatCompletionEncoder,
  responses: responsesEncoder,
  'anthropic-messages': anthropicMessagesEncoder,
  'ui-message-stream': (facts) => uiMessageEncoder(facts, { sdk: 6 }),
  'ag-ui': agUiEncoder,
}

const ANSWERS: { readonly [name: string]: (facts: RunFacts) => AnswerEncoder } = {
  'chat-completions': chatCompletionAnswer,
  responses: responsesAnswer,
  'anthropic-messages': anthropicMessagesAnswer,
}

describe('writing an answer takes time that grows as the answer does', () => {
  for (const [name, eventsOfSize] of Object.entries(RUNS)) {
    for (const [protocol, encoderOf] of Object.entries(ENCODERS)) {
      itIsLinear(
        {
          name: `${protocol}: ${name}`,
          make: (size) => {
            const events = eventsOfSize(size)
            return () => {
              const encoder = encoderOf(factsOf('run'))
              let length = 0
              for (const event of events) length += encoder.encode(event).length
              return length
            }
          },
        },
        SAMPLE.has(name),
      )
    }
    for (const [protocol, answerOf] of Object.entries(ANSWERS)) {
      itIsLinear(
        {
          name: `${protocol}: ${name}, whole`,
          make: (size) => {
            const events = eventsOfSize(size)
            return () => {
              const answer = answerOf(factsOf('run'))
              for (const event of events) answer.add(event)
              return answer.answer()
            }
          },
        },
        SAMPLE.has(name),
      )
    }
    itIsLinear(
      {
        name: `${name}, checked and gathered`,
        make: (size) => {
          const events = eventsOfSize(size)
          return () => {
            const checker = new EventChecker('run')
            const accumulator = new Accumulator()
            for (const event of events) {
              checker.check(event)
              accumulator.add(event)
            }
            return accumulator.messages()
          }
        },
      },
      SAMPLE.has(name),
    )
  }

  for (const [name, historyOf] of Object.entries(HISTORIES)) {
    itIsLinear(
      {
        name: `a history of ${name}, checked and shown to a chat page`,
        make: (size) => {
          const messages = historyOf(size)
          return () => {
            checkPairs(toMessages(messages))
            return toUiMessages(messages)
          }
        },
      },
      false,
    )
  }

  for (const sdk of [5, 6] as const) {
    itIsLinear(
      {
        name: `approvals, shown to a chat page of version ${sdk}`,
        make: (size) => {
          const calls = times(size, (index) => call(index))
          const approvals = calls.map(({ callId, name, input }) => ({
            approvalId: `approval_${callId}`,
            callId,
            name,
            input,
          }))
          const messages: readonly Message[] = [{ role: 'assistant', parts: calls }]
          return () => toUiMessages(messages, { approvals, sdk })
        },
      },
      sdk === 5,
    )
  }
})
