import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../../src/core/index.ts'
import type { RunEvent, RunEventBody } from '../../../../src/plugin/events/index.ts'
import {
  AG_UI_HEADERS,
  type AgUiRequest,
  agUiEncoder,
  agUiErrorAnswer,
  decodeAgUiRequest,
} from '../../../../src/server/wire/ag-ui/index.ts'
import { publicError } from '../../../../src/server/wire/public-error.ts'
import { needsPeer } from '../../../helpers/peer-scripts.ts'
import { type ApiCall, ApiServer, type Served } from '../api-server.ts'
import { anyRun, factsOf, numbered } from '../runs.ts'
import { askClient, type ThreadJob, type ThreadSeen } from './ag-ui-clients.ts'
import { AgUiChecker } from './checker.ts'

const START = { type: 'start', requestId: 'r' } as const
const STEP = { type: 'step-start', step: 1, requestId: 'r' } as const
const HELLO = { id: 'u1', role: 'user', content: 'Hello' }
const WEATHER = {
  name: 'weather',
  description: 'The weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}
const SAMPLES = 40

function call(name: string, after: readonly RunEventBody[] = []): RunEventBody[] {
  return [
    START,
    STEP,
    { type: 'tool-call-start', id: 'c1', name },
    { type: 'tool-call-delta', id: 'c1', delta: '{"city":"Rome"}' },
    { type: 'tool-call-end', id: 'c1', input: { city: 'Rome' } },
    { type: 'step-finish', step: 1, finishReason: 'tool-calls', usage: {}, messages: [] },
    ...after,
    { type: 'finish', finishReason: 'tool-calls', usage: {}, messages: [] },
  ]
}

function text(delta: string, before: readonly RunEventBody[] = []): RunEventBody[] {
  return [
    START,
    ...before,
    { ...STEP, step: 2 },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta },
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop', usage: {}, messages: [] },
  ]
}

/** What a server would answer, by the name of the thread. */
const THREADS: { readonly [thread: string]: (request: AgUiRequest) => RunEventBody[] } = {
  approval: ({ approvals: [answer] }) => {
    const asked = { approvalId: 'a1', callId: 'c1' }
    if (!answer) {
      const input = { city: 'Rome' }
      return call('book', [{ type: 'approval-required', ...asked, name: 'book', input }])
    }
    const result = { type: 'tool-result', callId: 'c1', name: 'book', output: 'booked' } as const
    return text('It is booked.', [
      { type: 'approval-resolved', ...asked, approved: answer.approved },
      { type: 'tool-execution-end', callId: 'c1', result },
    ])
  },
  mine: ({ messages, tools }) =>
    messages.at(-1)?.role === 'tool' ? text('It is warm.') : call(tools[0]!.name),
  working: ({ messages }) =>
    messages.length > 1
      ? text('Again.')
      : text('It is done.', [
          ...call('build').slice(1, -1),
          { type: 'tool-execution-progress', callId: 'c1', progress: { done: 1, of: 2 } },
          { type: 'tool-execution-progress', callId: 'c1', progress: { done: 2, of: 2 } },
          {
            type: 'tool-execution-end',
            callId: 'c1',
            result: { type: 'tool-result', callId: 'c1', name: 'build', output: 'built' },
          },
        ]),
  broken: () => [START, STEP, { type: 'error', error: { code: 'OVERLOADED', message: 'secret' } }],
}

const OWN_JOBS: readonly Omit<ThreadJob, 'url'>[] = [
  {
    name: 'approval',
    threadId: 'approval',
    runs: [
      { add: [HELLO] },
      { resume: [{ interruptId: 'a1', status: 'resolved', payload: { approved: true } }] },
    ],
  },
  {
    name: 'mine',
    threadId: 'mine',
    runs: [
      { add: [HELLO], tools: [WEATHER], context: [{ description: 'Page', value: '/map' }] },
      { add: [{ id: 'r1', role: 'tool', toolCallId: 'c1', content: '30' }], tools: [WEATHER] },
    ],
  },
  {
    name: 'working',
    threadId: 'working',
    runs: [{ add: [HELLO] }, { add: [{ ...HELLO, id: 'u2' }] }],
  },
  { name: 'broken', threadId: 'broken', runs: [{ add: [HELLO] }] },
  {
    name: 'refused',
    threadId: 'mine',
    runs: [{ add: [HELLO], forwardedProps: { provider: 'x' } }],
  },
]

describe('threads of AG-UI with a server', () => {
  const samples = fc.sample(anyRun, { numRuns: SAMPLES, seed: 1 })
  const requests: AgUiRequest[] = []
  let server: ApiServer
  let seen: ReadonlyMap<string, ThreadSeen>

  before(async function () {
    needsPeer(this, '@ag-ui/client')
    this.timeout(60_000)
    server = await new ApiServer(reply).start()
    const jobs = samples.map((_, at) => {
      return { name: `sample ${at}`, threadId: `sample-${at}`, runs: [{ add: [HELLO] }] }
    })
    seen = await askClient([...OWN_JOBS, ...jobs].map((job) => ({ ...job, url: server.url })))
  })
  after(() => server?.close())

  function reply({ body }: ApiCall): Served {
    try {
      const request = decodeAgUiRequest(body)
      requests.push(request)
      return { headers: AG_UI_HEADERS, pieces: framesOf(request) }
    } catch (error) {
      if (!HostError.is(error)) throw error
      return agUiErrorAnswer(publicError(error.toJSON()))
    }
  }

  function framesOf(request: AgUiRequest): string[] {
    const { conversationId = '', clientRunId, tools } = request
    const sample = samples[Number(conversationId.replace('sample-', ''))]
    const events: readonly RunEvent[] = sample ?? numbered(THREADS[conversationId]!(request))
    const names = tools.map(({ name }) => name)
    const facts = { ...factsOf(...names), conversationId, messageId: `m${requests.length}` }
    const encoder = agUiEncoder(facts, { clientRunId })
    const checker = new AgUiChecker()
    const frames = events.map((event) => encoder.encode(event))
    for (const frame of frames) checker.check(frame)
    checker.end()
    return frames
  }

  function requestsOf(thread: string): readonly AgUiRequest[] {
    return requests.filter(({ conversationId }) => conversationId === thread)
  }

  it('answer an interrupt by a resume, and go on', () => {
    const { messages, outcomes, errors, faults } = seen.get('approval')!
    expect({ errors, faults }).to.deep.equal({ errors: [], faults: [] })
    expect(outcomes.map(({ outcome }) => (outcome as { type: string }).type)).to.deep.equal([
      'interrupt',
      'success',
    ])
    expect(requestsOf('approval')[1]?.approvals).to.deep.equal([
      { approvalId: 'a1', approved: true, pointer: '/resume/0' },
    ])
    expect(messages.map(({ role, content }) => [role, content])).to.deep.equal([
      ['user', 'Hello'],
      ['assistant', undefined],
      ['tool', 'booked'],
      ['assistant', 'It is booked.'],
    ])
  })

  it('answer a call of a tool of their own, and are told where they are', () => {
    const [first, second] = requestsOf('mine')
    expect(first?.tools).to.deep.equal([
      { name: 'weather', description: 'The weather', input_schema: WEATHER.parameters },
    ])
    expect(first?.messages[0]?.parts[0]).to.deep.include({
      text: 'Context from the application:\n\nPage:\n/map',
    })
    expect(second?.messages.slice(1)).to.deep.equal(
      [
        {
          id: 'm1.1',
          role: 'assistant',
          parts: [{ type: 'tool-call', callId: 'c1', name: 'weather', input: { city: 'Rome' } }],
        },
        {
          id: 'r1',
          role: 'tool',
          parts: [{ type: 'tool-result', callId: 'c1', name: 'weather', output: '30' }],
        },
      ].map((message) =>
        message.id === 'm1.1' ? { ...message, id: second?.messages[1]?.id } : message,
      ),
    )
    expect(seen.get('mine')?.messages.at(-1)?.content).to.equal('It is warm.')
  })

  it('show the last progress of a call among their messages, and give back all but that', () => {
    const { messages, errors, faults } = seen.get('working')!
    expect({ errors, faults }).to.deep.equal({ errors: [], faults: [] })
    expect(messages.slice(0, 5).map(({ role }) => role)).to.deep.equal([
      'user',
      'assistant',
      'tool',
      'activity',
      'assistant',
    ])
    expect(messages[3]?.content).to.deep.equal({
      toolCallId: 'c1',
      progress: { done: 2, of: 2 },
    })
    expect(requestsOf('working')[1]?.messages.map(({ role }) => role)).to.deep.equal([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
  })

  it('are told of an error by its code, and of a request that is refused', () => {
    expect(seen.get('broken')?.errors[0]).to.deep.include({ code: 'OVERLOADED' })
    expect(JSON.stringify(seen.get('refused')?.errors)).to.include('400')
  })

  it('take every run that there can be, by their own schemas and their own check of the order', () => {
    for (const [at, events] of samples.entries()) {
      const { faults, errors } = seen.get(`sample ${at}`)!
      expect(faults, `sample ${at}`).to.deep.equal([])
      const isFailed = events.at(-1)?.type === 'error'
      expect(errors.filter((error) => 'thrown' in error && !isFailed)).to.deep.equal([])
      expect(errors.length > 0, `sample ${at}: ${JSON.stringify(errors)}`).to.equal(isFailed)
    }
  })
})
