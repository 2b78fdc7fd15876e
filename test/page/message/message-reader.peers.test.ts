import { expect } from 'chai'
import fc from 'fast-check'
import { MessageReader, type UiMessage } from '../../../src/page/site/message/index.ts'
import type { RunEvent, RunEventBody } from '../../../src/plugin/events/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { callStates, FACTS } from '../../server/wire/call-states.ts'
import { recordedRuns } from '../../server/wire/recorded-runs.ts'
import { anyFacts, anyRun, factsOf, numbered } from '../../server/wire/runs.ts'
import { askClients, needsClients } from '../../server/wire/ui-message-stream/chat-clients.ts'
import { type Chunk, chunksOf } from './chunks.ts'

/** A stream of a run, and the message that it continues. */
interface Stream {
  readonly name: string
  readonly chunks: readonly Chunk[]
  readonly before?: UiMessage
}

/** The client tells of its message only with some chunks. This one changes nothing and makes it tell. */
const TELL: Chunk = { type: 'message-metadata', messageMetadata: {} }

describe('MessageReader beside the reader of the AI SDK', () => {
  it('builds the same messages from recorded and generated runs', async function () {
    needsClients(this)
    this.timeout(120_000)
    const streams = [...(await streamsOfRuns()), ...generated(), ...legs()]
    const job = { kind: 'build', name: 'build', version: 7, streams } as const
    const answer = (await askClients([job])).get('build')
    expect(answer?.thrown).to.equal(undefined)
    expect(answer?.messages).to.have.length(streams.length)
    for (const [at, stream] of streams.entries()) {
      const theirs = answer?.messages?.[at] as unknown as UiMessage
      expect(comparable(build(stream)), stream.name).to.deep.equal(comparable(theirs))
    }
    if (this.test) this.test.title += ` (${streams.length} streams)`
  })
})

async function streamsOfRuns(): Promise<readonly Stream[]> {
  const states = await callStates()
  const recorded = await recordedRuns()
  return [
    streamOf('call states', states.events, FACTS),
    ...recorded.map(({ name, events }) => streamOf(name, events)),
  ]
}

function generated(): readonly Stream[] {
  const samples = fc.sample(fc.tuple(anyRun, anyFacts), { numRuns: propertyRuns(1500), seed: 7 })
  return samples.map(([events, facts], at) => streamOf(`generated run ${at}`, events, facts))
}

const ASKED = { approvalId: 'a1', callId: 'c1', name: 'add', input: { a: 1 } } as const
const RESULT = { type: 'tool-result', callId: 'c1', name: 'add', output: 'done' } as const

/** Runs that wait for an approval, in one response or two. */
function legs(): readonly Stream[] {
  const first = numbered([
    { type: 'start', requestId: 'r' },
    { type: 'step-start', step: 1, requestId: 'r' },
    { type: 'text-delta', id: 't', delta: 'Well.' },
    { type: 'tool-call-start', id: 'c1', name: 'add' },
    { type: 'tool-call-delta', id: 'c1', delta: '{"a":1}' },
    { type: 'tool-call-end', id: 'c1', input: { a: 1 } },
    { type: 'approval-required', ...ASKED },
  ])
  return [true, false].flatMap((approved) => {
    const rest = numbered(answered(approved))
    const asked = streamOf(`asked, ${approved}`, first)
    const whole = streamOf(`whole, ${approved}`, [...first, ...rest])
    const before = build(asked)
    const continued = { ...streamOf(`continued, ${approved}`, rest), ...(before && { before }) }
    // The client fails at a result whose call is in the message that it dropped.
    const begun = streamOf('other message', rest.slice(2))
    const other = { ...begun, before: { ...before, id: 'other' } }
    return [asked, whole, continued, other as Stream]
  })
}

function answered(approved: boolean): readonly RunEventBody[] {
  return [
    { type: 'approval-resolved', approvalId: 'a1', callId: 'c1', approved, reason: 'because' },
    { type: 'tool-execution-end', callId: 'c1', result: { ...RESULT, isError: !approved } },
    { type: 'step-start', step: 2, requestId: 'r' },
    { type: 'text-delta', id: 't', delta: 'Done.' },
    { type: 'finish', finishReason: 'stop', usage: { input: 1, output: 2 }, messages: [] },
  ]
}

function streamOf(name: string, events: readonly RunEvent[], facts = factsOf()): Stream {
  return { name, chunks: [...chunksOf(events, facts), TELL] }
}

function build({ chunks, before }: Stream): UiMessage | undefined {
  const reader = new MessageReader(before)
  for (const chunk of chunks) reader.add(chunk)
  return reader.message
}

/** As JSON, without the input of calls that still streams: the client shows a guess. */
function comparable(message: UiMessage | undefined): unknown {
  const parts = message?.parts.map((part) => {
    if (!('state' in part) || part.state !== 'input-streaming') return part
    return { ...part, input: undefined, rawInput: undefined }
  })
  return JSON.parse(JSON.stringify({ ...message, parts })) as unknown
}
