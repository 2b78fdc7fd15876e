import { expect } from 'chai'
import fc from 'fast-check'
import type { RunEvent, RunEventBody } from '../../../../src/plugin/events/index.ts'
import {
  type A2aStreamOptions,
  a2aEncoder,
  TaskView,
} from '../../../../src/server/wire/a2a/index.ts'
import { sseFrames } from '../frames.ts'
import { writesEveryRun, writesWhatIsLeft } from '../protocol-suites.ts'
import { anyRun, factsOf, numbered } from '../runs.ts'
import { A2aChecker } from './checker.ts'

const FACTS = { ...factsOf(), conversationId: 'talk-1' }
const PLACE = { taskId: 'run-1', contextId: 'talk-1' }
const STEP = { type: 'step-start', step: 1, requestId: 'r' } as const
const FINISH = { type: 'finish', finishReason: 'stop', usage: {}, messages: [] } as const
const AT = '2023-11-14T22:13:20.123Z'
const ASKED = {
  type: 'approval-required',
  approvalId: 'a1',
  callId: 'c1',
  name: 'rm',
  input: { path: '/' },
  expiresAt: '2030-01-01T00:00:00Z',
} as const

type Update = Readonly<Record<string, never>>

function encoded(
  events: readonly RunEvent[],
  options: Partial<A2aStreamOptions> = {},
): readonly Update[] {
  const encoder = a2aEncoder(FACTS, { version: '1.0', ...options })
  const text = events.map((event) => encoder.encode(event)).join('')
  return sseFrames(text).map(({ data }) => JSON.parse(data) as Update)
}

/** What is written of events, without the task at the beginning. */
function updatesOf(bodies: readonly RunEventBody[], options?: Partial<A2aStreamOptions>) {
  return encoded(numbered(bodies), options).slice(1)
}

/** What a client has in the end, put together from the updates. */
function gathered(
  events: readonly RunEvent[],
  options: Partial<A2aStreamOptions> = {},
): A2aChecker {
  const encoder = a2aEncoder(FACTS, { version: '1.0', ...options })
  const checker = new A2aChecker()
  for (const event of events) checker.check(encoder.encode(event))
  checker.end()
  return checker
}

function textsOf({ artifacts }: A2aChecker): readonly unknown[] {
  return [...artifacts.values()].filter(({ text, others }) => text !== '' || others.length > 0)
}

function said(...texts: readonly string[]): RunEventBody[] {
  return [
    { type: 'text-start', id: 't' },
    ...texts.map((delta): RunEventBody => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
  ]
}

describe('the encoder of A2A', () => {
  it('AL-04 tells the children of a task in its metadata', () => {
    const child = (runId: string, more: object = {}): RunEventBody => ({
      type: 'tool-execution-progress',
      callId: 'c1',
      progress: { runId, agent: 'a', depth: 1, lane: 'subagent', parentRunId: 'run-1', ...more },
      isChild: true,
    })
    const told = (runId: string, state: string) => ({
      runId,
      agent: 'a',
      parentRunId: 'run-1',
      state,
    })
    const bodies = [
      STEP,
      child('k1'),
      child('k1', { step: 1 }),
      child('k2'),
      child('k1', { state: 'completed' }),
      FINISH,
    ]
    const updates = updatesOf(bodies) as readonly {
      readonly statusUpdate?: { metadata?: object }
    }[]
    const metadata = updates.map(({ statusUpdate }) => statusUpdate?.metadata)
    expect(metadata).to.deep.equal([
      undefined,
      { children: [told('k1', 'running')] },
      undefined,
      { children: [told('k2', 'running')] },
      { children: [told('k1', 'completed')] },
      { children: [told('k1', 'completed'), told('k2', 'running')], finishReason: 'stop' },
    ])
    const view = new TaskView(FACTS)
    for (const event of numbered(bodies.slice(0, -1))) view.add(event)
    expect(view.task.metadata).to.deep.equal({
      children: [told('k1', 'completed'), told('k2', 'running')],
    })
  })

  it('tells a hundred children of a task and no more', () => {
    const children = Array.from(
      { length: 200 },
      (_, at): RunEventBody => ({
        type: 'tool-execution-progress',
        callId: 'c1',
        progress: { runId: `k${at}`, agent: 'a', depth: 1, lane: 'subagent', parentRunId: 'run-1' },
        isChild: true,
      }),
    )
    const view = new TaskView(FACTS)
    for (const event of numbered([STEP, ...children])) view.add(event)
    const { children: told } = view.task.metadata as { readonly children: readonly object[] }
    expect(told).to.have.length(100)
  })

  it('begins with the task, which the run is, in the context of its conversation', () => {
    expect(encoded(numbered([STEP, FINISH]))).to.deep.equal([
      {
        task: {
          id: 'run-1',
          contextId: 'talk-1',
          status: { state: 'TASK_STATE_SUBMITTED', timestamp: AT },
        },
      },
      { statusUpdate: { ...PLACE, status: { state: 'TASK_STATE_WORKING' } } },
      {
        statusUpdate: {
          ...PLACE,
          status: { state: 'TASK_STATE_COMPLETED' },
          metadata: { finishReason: 'stop' },
        },
      },
    ])
  })

  it('writes each text as an artifact, piece by piece', () => {
    const artifact = (text: string) => ({
      artifactId: 'message-1.1',
      name: 'answer',
      parts: [{ text }],
    })
    expect(updatesOf([STEP, ...said('He', 'y'), FINISH]).slice(1, -1)).to.deep.equal([
      { artifactUpdate: { ...PLACE, artifact: artifact('He') } },
      { artifactUpdate: { ...PLACE, artifact: artifact('y'), append: true } },
      { artifactUpdate: { ...PLACE, artifact: artifact(''), append: true, lastChunk: true } },
    ])
  })

  it('writes files, sources and data as artifacts, but no address that nobody should follow', () => {
    const file = { type: 'file', mediaType: 'image/png', name: 'a.png' } as const
    const updates = updatesOf([
      STEP,
      { ...file, data: 'AAAA' },
      { ...file, url: 'https://a.test/a.png' },
      { ...file, url: 'javascript:alert(1)' },
      { type: 'source', url: 'https://a.test', title: 'A', providerMetadata: { own: {} } },
      { type: 'source', url: 'javascript:alert(1)', title: 'B' },
      { type: 'data', name: 'chart', data: [1] },
      FINISH,
    ])
    const parts = updates.slice(1, -1).flatMap(({ artifactUpdate }) => {
      const { artifact, lastChunk } = artifactUpdate as unknown as {
        artifact: { parts: readonly object[] }
        lastChunk: boolean
      }
      expect(lastChunk).to.equal(true)
      return artifact.parts
    })
    expect(parts).to.deep.equal([
      { raw: 'AAAA', mediaType: 'image/png', filename: 'a.png' },
      { url: 'https://a.test/a.png', mediaType: 'image/png', filename: 'a.png' },
      { data: { source: { url: 'https://a.test', title: 'A' } } },
      { data: { source: { title: 'B' } } },
      { data: { name: 'chart', data: [1] } },
    ])
  })

  it('shows no reasoning and no calls, but their progress', () => {
    const updates = updatesOf([
      STEP,
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'secret' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'tool-call-start', id: 'c1', name: 'add' },
      { type: 'tool-call-end', id: 'c1', input: {} },
      { type: 'tool-execution-progress', callId: 'c1', progress: 50 },
    ])
    const message = {
      messageId: 'message-1.progress-c1',
      ...PLACE,
      role: 'ROLE_AGENT',
      parts: [{ data: { callId: 'c1', progress: 50 } }],
    }
    expect(updates.slice(1)).to.deep.equal([
      { statusUpdate: { ...PLACE, status: { state: 'TASK_STATE_WORKING', message } } },
    ])
  })

  it('waits for what is not approved yet, with a text for people and data for programs', () => {
    const done = {
      type: 'approval-resolved',
      approvalId: 'a0',
      callId: 'c0',
      approved: true,
    } as const
    const question = { question: 'Which color?', options: ['red', 'blue'] }
    const [waiting] = updatesOf([
      STEP,
      { ...ASKED, approvalId: 'a0', callId: 'c0' },
      ASKED,
      { ...ASKED, approvalId: 'a2', callId: 'c2', name: 'ask', input: question, isQuestion: true },
      done,
      { ...FINISH, finishReason: 'tool-calls' },
    ]).slice(-1)
    const about = { expiresAt: '2030-01-01T00:00:00Z' }
    const text = 'May the tool "rm" be run with {"path":"/"}? Answer yes or no.\nWhich color?'
    const approvals = [
      { approvalId: 'a1', callId: 'c1', tool: 'rm', ...about, input: { path: '/' } },
      {
        approvalId: 'a2',
        callId: 'c2',
        tool: 'ask',
        ...about,
        isQuestion: true,
        answerSchema: { type: 'string', enum: ['red', 'blue'] },
      },
    ]
    const parts = [{ text }, { data: { approvals } }]
    const message = { messageId: 'message-1.ask-a1', ...PLACE, role: 'ROLE_AGENT', parts }
    expect(waiting).to.deep.equal({
      statusUpdate: { ...PLACE, status: { state: 'TASK_STATE_INPUT_REQUIRED', message } },
    })
  })

  it('shows long arguments in part', () => {
    const [waiting] = updatesOf([STEP, { ...ASKED, input: 'x'.repeat(9999) }, FINISH]).slice(-1)
    expect(JSON.stringify(waiting)).to.match(/with ..x{499}…\?/)
  })

  it('tells a failure as a state of the task, by what clients may read of it', () => {
    const error = { code: 'OVERLOADED', message: 'secret' }
    const [failed] = updatesOf([STEP, { type: 'error', error }]).slice(-1)
    const parts = [{ text: 'The model API is overloaded.' }]
    const message = { messageId: 'message-1.error', ...PLACE, role: 'ROLE_AGENT', parts }
    expect(failed).to.deep.equal({
      statusUpdate: {
        ...PLACE,
        status: { state: 'TASK_STATE_FAILED', message },
        metadata: { code: 'OVERLOADED' },
      },
    })
    expect(updatesOf([{ type: 'abort', reason: 'secret' }])).to.deep.equal([
      { statusUpdate: { ...PLACE, status: { state: 'TASK_STATE_CANCELED' } } },
    ])
  })

  it('empties the artifacts of a step that starts again', () => {
    const events = numbered([
      STEP,
      ...said('wrong', ' one'),
      { type: 'data', name: 'd', data: 1 },
      { type: 'step-reset', step: 1, reason: 'again' },
      ...said('right'),
      FINISH,
    ])
    expect(textsOf(gathered(events))).to.deep.equal([{ text: 'right', others: [] }])
  })

  it('repeats the id of a JSON-RPC request around each update', () => {
    const frames = encoded(numbered([STEP, FINISH]), { rpcId: 'mine' })
    expect(frames.map(({ jsonrpc, id }) => [jsonrpc, id])).to.deep.equal(
      Array.from({ length: 3 }, () => ['2.0', 'mine']),
    )
    expect(frames[0]?.['result']).to.have.property('task')
  })

  it('begins with the task as it is at an event, and goes on from there', () => {
    const events = numbered([STEP, ...said('Hel', 'lo'), FINISH]).map((event) => ({
      ...event,
      at: 1_700_000_001_000,
    }))
    const [task, ...updates] = encoded(events, { until: 2 })
    expect(task).to.deep.equal({
      task: {
        id: 'run-1',
        contextId: 'talk-1',
        status: { state: 'TASK_STATE_WORKING', timestamp: '2023-11-14T22:13:21.000Z' },
        artifacts: [{ artifactId: 'message-1.1', name: 'answer', parts: [{ text: 'Hel' }] }],
      },
    })
    expect(updates).to.have.length(3)
  })

  it('tells a task that was answered as working, even before its next event', () => {
    const waiting = numbered([STEP, ASKED, FINISH])
    const stateOf = (goesOn: boolean) =>
      JSON.stringify(encoded(waiting, { until: 2, goesOn })[0]).match(/TASK_STATE_\w+/)?.[0]
    expect([stateOf(false), stateOf(true)]).to.deep.equal([
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
    ])
  })

  it('tells the error of the server itself, which has no number, wherever it comes', () => {
    const error = { code: 'STORAGE_FAILED', message: 'secret' }
    const late = { type: 'error', error, runId: 'run-1', seq: -1 } as const
    const states = encoded([...numbered([STEP]), late], { until: 5 }).map(
      (update) => JSON.stringify(update).match(/TASK_STATE_\w+/)?.[0],
    )
    expect(states).to.deep.equal(['TASK_STATE_WORKING', 'TASK_STATE_FAILED'])
  })

  it('gives a client that comes at any event what the first one has', () => {
    fc.assert(
      fc.property(anyRun, fc.nat(), (events, at) => {
        const until = at % (events.length - 1)
        expect(textsOf(gathered(events, { until }))).to.deep.equal(textsOf(gathered(events)))
      }),
    )
  })

  it('tells in a stream what the task has in the end', () => {
    fc.assert(
      fc.property(anyRun, (events) => {
        const view = new TaskView(FACTS)
        for (const event of events) view.add(event)
        const { artifacts = [], status } = view.task
        const whole = artifacts.map(({ parts }) => {
          const [part] = parts
          return part && 'text' in part
            ? { text: part.text, others: [] }
            : { text: '', others: parts }
        })
        const streamed = gathered(events)
        expect(streamed.states.at(-1)).to.equal(status.state)
        expect(textsOf(streamed)).to.deep.equal(whole)
      }),
    )
  })

  const protocol = {
    encoder: (facts: typeof FACTS) => a2aEncoder(facts, { version: '1.0' }),
    checker: () => new A2aChecker(),
  }
  writesEveryRun(protocol)
  writesWhatIsLeft(protocol)
})

describe('the encoder of A2A 0.3', () => {
  it('has its own words for everything', () => {
    const file = { type: 'file', mediaType: 'image/png' } as const
    const events = numbered([
      STEP,
      ...said('Hi'),
      { ...file, data: 'AAAA', name: 'a.png' },
      { ...file, url: 'https://a.test/a.png' },
      { type: 'data', name: 'n', data: 1 },
      ASKED,
      FINISH,
    ])
    const place = { ...PLACE }
    const artifact = (artifactId: string, name: string, part: object) => ({
      artifactId: `message-1.${artifactId}`,
      name,
      parts: [part],
    })
    const first = artifact('1', 'answer', { kind: 'text', text: 'Hi' })
    const all = encoded(events, { version: '0.3' })
    expect(all.slice(0, 3)).to.deep.equal([
      {
        kind: 'task',
        id: 'run-1',
        contextId: 'talk-1',
        status: { state: 'submitted', timestamp: AT },
      },
      { kind: 'status-update', ...place, status: { state: 'working' }, final: false },
      { kind: 'artifact-update', ...place, artifact: first },
    ])
    const bytes = { bytes: 'AAAA', mimeType: 'image/png', name: 'a.png' }
    const uri = { uri: 'https://a.test/a.png', mimeType: 'image/png' }
    const whole = { kind: 'artifact-update', ...place, lastChunk: true }
    const data = { name: 'n', data: 1 }
    expect(all.slice(4, 7)).to.deep.equal([
      { ...whole, artifact: artifact('2', 'file', { kind: 'file', file: bytes }) },
      { ...whole, artifact: artifact('3', 'file', { kind: 'file', file: uri }) },
      { ...whole, artifact: artifact('4', 'data', { kind: 'data', data }) },
    ])
    const last = all.at(-1) as unknown as { status: { message: object }; final: boolean }
    expect(last).to.deep.include({ kind: 'status-update', final: true })
    expect(last.status).to.deep.include({ state: 'input-required' })
    expect(last.status.message).to.deep.include({ kind: 'message', role: 'agent' })
  })
})
