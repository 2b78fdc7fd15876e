import { expect } from 'chai'
import fc from 'fast-check'
import type { RunEvent, RunEventBody } from '../../../../src/plugin/events/index.ts'
import { agUiEncoder, decodeAgUiRequest } from '../../../../src/server/wire/ag-ui/index.ts'
import { cutRun, factsOf, numbered, soundRun, wholeRun } from '../runs.ts'
import { AppendingClient, type KeptMessage } from './appending-client.ts'
import { AgUiChecker } from './checker.ts'

const ASKED = { id: 'u1', role: 'user', content: 'Hello' }
const STEP = { type: 'step-start', step: 1, requestId: 'r' } as const
const FINISH = { type: 'finish', finishReason: 'stop', usage: {}, messages: [] } as const

function keptIn(messages: readonly KeptMessage[]) {
  const body = { threadId: 't', runId: 'r', messages, tools: [], context: [] }
  return decodeAgUiRequest(JSON.parse(JSON.stringify(body))).kept
}

/** What is sent of a run to a client that has these messages, one text for each event. */
function told(events: readonly RunEvent[], messages: readonly KeptMessage[] = [ASKED]): string[] {
  const encoder = agUiEncoder(factsOf(), { kept: keptIn(messages) })
  const checker = new AgUiChecker()
  return events.map((event) => {
    const text = encoder.encode(event)
    checker.check(text)
    return text
  })
}

function readBy(texts: readonly string[], messages: readonly KeptMessage[] = [ASKED]) {
  const client = new AppendingClient(messages)
  for (const text of texts) client.read(text)
  return client.messages
}

function sorted(messages: readonly KeptMessage[]): readonly KeptMessage[] {
  return messages.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

describe('an answer that a client of AG-UI is sent again', () => {
  it('gives it the messages of the whole answer, wherever it was disconnected', () => {
    fc.assert(
      fc.property(fc.oneof(wholeRun, soundRun, cutRun), fc.nat(), (events, at) => {
        const texts = told(events)
        const whole = readBy(texts)
        const part = readBy(texts.slice(0, at % (texts.length + 1)))
        expect(sorted(readBy(told(events, part), part))).to.deep.equal(sorted(whole))
      }),
    )
  })

  const events = (...bodies: RunEventBody[]) => numbered([STEP, ...bodies, FINISH])
  const typesOf = (texts: readonly string[]) =>
    [...texts.join('').matchAll(/"type":"([A-Z_]+)"/g)].map(([, type]) => type)

  it('names no call and no result that it has, so that none seems open', () => {
    const result = { type: 'tool-result', callId: 'c1', name: 'add', output: '3' } as const
    const run = events(
      { type: 'tool-call-start', id: 'c1', name: 'add' },
      { type: 'tool-call-delta', id: 'c1', delta: '{"a": 1}' },
      { type: 'tool-call-end', id: 'c1', input: { a: 1 } },
      { type: 'tool-execution-end', callId: 'c1', result },
    )
    const messages = readBy(told(run))
    // A thread that was loaded has the arguments without spaces.
    const [call] = messages[1]?.toolCalls ?? []
    if (call) call.function.arguments = '{"a":1}'
    const again = told(run, messages)
    expect(typesOf(again).filter((type) => type?.startsWith('TOOL_CALL'))).to.deep.equal([])
    expect(readBy(again, messages)).to.deep.equal(messages)
    const own = messages.map((one) => (one.role === 'tool' ? { ...one, id: 'mine' } : one))
    expect(readBy(told(run, own), own)).to.deep.equal(own)
  })

  it('has the metadata of a text that it has', () => {
    const providerMetadata = { p: { signature: 's' } }
    const run = events(
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Well' },
      { type: 'reasoning-end', id: 'r', providerMetadata },
    )
    const types = typesOf(told(run, readBy(told(run))))
    expect(types).to.include('REASONING_ENCRYPTED_VALUE')
    expect(types).not.to.include('REASONING_MESSAGE_START')
  })

  it('does not repeat what the client said to the run', () => {
    const message = {
      id: 'u2',
      role: 'user',
      parts: [{ type: 'text', text: 'In short' }],
    } as const
    const run = events({ type: 'steering', message })
    const messages = readBy(told(run))
    expect(messages.at(-1)).to.include({ id: 'u2', content: 'In short' })
    expect(readBy(told(run, messages), messages)).to.deep.equal(messages)
  })
})
