import { expect } from 'chai'
import {
  type AgentBackend,
  type AgentRuntime,
  createRuntime,
  type RunOptions,
  type RunResult,
} from '../../../src/agent/index.ts'
import type { Message, RunEvent } from '../../../src/plugin/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { asks, leader } from '../children/team.ts'
import { ENDPOINT, FakeBackend, said } from './fake-backend.ts'

const textOf = ({ parts }: Message) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const go: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] }
const MARKED = { a2a: { contextId: 'c', taskId: 't' } }

/** Asks in its first answer, and then tells the last message. */
const asking: AgentBackend['ask'] = async function* ({ messages, isAnswer, onQuestion }) {
  const given = messages.at(-1)
  if (isAnswer) return yield said(`I wiped: ${given ? textOf(given) : ''}`)
  yield [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'I can wipe.' },
    { type: 'text-end', id: '1' },
    { type: 'text-start', id: '2' },
    { type: 'text-delta', id: '2', delta: 'Really?' },
    { type: 'text-end', id: '2', providerMetadata: MARKED },
  ]
  onQuestion?.()
}

async function eventsOf(agent: string, feed: ReturnType<AgentRuntime['subscribeEvents']>) {
  const events: RunEvent[] = []
  for await (const item of feed) {
    if ('event' in item && item.agent === agent) events.push(item.event)
  }
  return events
}

describe('a question of a remote agent', () => {
  async function legs(
    answers: readonly object[],
    options: Partial<RunOptions> = {},
    fake: ConstructorParameters<typeof FakeBackend>[0] = {},
  ) {
    const backend = new FakeBackend({ ask: asking, ...fake })
    await using host = await scriptedHost()
    const agents = [
      leader([asks('far', 'wipe it')], { delegates: ['far'] }),
      { id: 'far', endpoint: ENDPOINT },
    ]
    const runtime = await createRuntime({ host, agents, backends: [backend] })
    const stop = new AbortController()
    const feed = runtime.subscribeEvents({ signal: stop.signal })
    const all: RunResult[] = []
    let resume: RunOptions['resume']
    for (const answer of [...answers, undefined]) {
      const messages = [go, ...all.flatMap((one) => one.messages)]
      const own = { ...options, messages, ...(resume ? { resume } : {}) }
      all.push(await (await runtime.run('leader', own)).result)
      const suspension = JSON.parse(JSON.stringify(all.at(-1)?.suspension ?? null))
      if (!suspension || !answer) break
      const { approvalId } = suspension.approvals[0]
      resume = { ...suspension, verdicts: [{ approvalId, approved: true, ...answer }] }
    }
    stop.abort()
    return { backend, all, events: await eventsOf('far', feed), last: all.at(-1) }
  }

  it('surfaces at the root where the agent is a delegate, and the answer goes to the same task', async () => {
    const { all, backend, last } = await legs([{ value: 'yes' }])
    const [approval] = all[0]?.suspension?.approvals ?? []
    expect(approval).to.deep.include({ name: 'agent_run_far', isQuestion: true })
    expect(approval?.input).to.deep.include({ question: 'Really?' })
    expect(last?.status).to.equal('done')
    expect(JSON.stringify(last?.messages)).to.include('I wiped: yes')
    const [, { messages, isAnswer } = { messages: [], isAnswer: false }] = backend.orders
    expect([isAnswer, messages.map(textOf)]).to.deep.equal([
      true,
      ['wipe it', 'I can wipe.Really?', 'yes'],
    ])
    expect(JSON.stringify(messages[1])).to.include(JSON.stringify(MARKED))
  })

  it('is told in the events of its run, which waits and goes on', async () => {
    const { events } = await legs([{ value: 'yes' }])
    const told = events.filter(({ type }) => /^approval|^finish$/.test(type))
    expect(told.map(({ type }) => type)).to.deep.equal([
      'approval-required',
      'finish',
      'approval-resolved',
      'finish',
    ])
    expect(told[1]).to.deep.include({ termination: { reason: 'suspended' } })
  })

  it('ends the work of the agent where it is not answered', async () => {
    const { backend, last } = await legs([{ approved: false }])
    expect(JSON.stringify(last?.messages)).to.include('"status":"cancelled"')
    expect(backend.abandoned.map((messages) => messages.map(textOf))).to.deep.equal([
      ['wipe it', 'I can wipe.Really?'],
    ])
    expect(backend.orders).to.have.length(1)
  })

  it('is told to the agent above where nobody can be asked, and ends the work', async () => {
    const { backend, last } = await legs([], { canAsk: false })
    expect(last?.suspension).to.equal(undefined)
    const told = JSON.stringify(last?.messages)
    expect(told).to.include('"status":"waiting"').and.include('Really?')
    expect(backend.abandoned.map((messages) => messages.map(textOf))).to.deep.equal([
      ['I can wipe.Really?'],
    ])
  })

  it('is the answer where the agent cannot go on after one', async () => {
    const { last } = await legs([], {}, { capabilities: { answers: false } })
    expect([last?.status, last?.suspension]).to.deep.equal(['done', undefined])
    expect(JSON.stringify(last?.messages)).to.include('I can wipe.Really?')
  })
})
