import { expect } from 'chai'
import { type RunOptions, run } from '../../src/agent/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { EventChecker } from '../../src/plugin/events/index.ts'
import type { Message, Part } from '../../src/plugin/index.ts'
import { collect } from '../helpers/hosts.ts'
import { eventProvider, schema, tool } from '../helpers/plugins.ts'

/** The events of an answer with calls of `read`, whose ids these are. */
function calling(...ids: readonly string[]): readonly object[] {
  return ids.flatMap((id, at) => [
    { type: 'tool-call-start', id, name: 'read' },
    { type: 'tool-call-delta', id, delta: `{"path":"${at}"}` },
    { type: 'tool-call-end', id, input: { path: String(at) } },
  ])
}

const TEXT = ['start', 'delta', 'end'].map((of) => ({
  type: `text-${of}`,
  id: 't',
  ...(of === 'delta' ? { delta: 'Done.' } : {}),
}))

const USER: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] }

describe('the ids of calls', () => {
  let host: Host
  let answers: (readonly object[])[]
  let sent: (readonly Message[])[]

  beforeEach(async () => {
    answers = []
    sent = []
    const model = {
      ...eventProvider([]),
      toNative: (messages: readonly Message[]) => {
        sent.push(messages)
        return messages
      },
      stream: () => answers.shift() ?? TEXT,
    }
    const read = tool('read', {
      getToolSchemas: () => [schema('read')],
      executeTool: ({ input }: { input: { path: string } }) => `read ${input.path}`,
    })
    host = await createHost({ plugins: [model, read] })
  })
  afterEach(() => host.close())

  async function ask(options: Partial<RunOptions> = {}) {
    const config = { provider: 'p', model: 'm' }
    const stream = run(host, { config, messages: [USER], ...options })
    const events = await collect(stream)
    const checker = new EventChecker('run')
    for (const event of events) checker.check(event)
    const result = await stream.result
    expect(result.status, JSON.stringify(result)).to.equal('done')
    return { events, result }
  }

  function idsIn(messages: readonly Message[]): readonly string[] {
    const ids = (part: Part) =>
      part.type === 'tool-call' || part.type === 'tool-result'
        ? [`${part.type} ${part.callId}`]
        : []
    return messages.flatMap(({ parts }) => parts.flatMap(ids))
  }

  it('that a model API repeats in a later step are told apart, in events, messages and requests', async () => {
    answers = [calling('c1'), calling('c1'), calling('c1', 'c2')]
    const { events, result } = await ask()
    const told = events.flatMap((event) =>
      event.type === 'tool-call-start' || event.type === 'tool-call-delta' ? [event.id] : [],
    )
    expect(told).to.deep.equal(['c1', 'c1', 'c1-2', 'c1-2', 'c1-3', 'c1-3', 'c2', 'c2'])
    const whole = ['c1', 'c1-2', 'c1-3', 'c2']
    const results = events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.callId] : [],
    )
    expect(results).to.deep.equal(whole)
    const pairs = [
      'tool-call c1',
      'tool-result c1',
      'tool-call c1-2',
      'tool-result c1-2',
      'tool-call c1-3',
      'tool-call c2',
      'tool-result c1-3',
      'tool-result c2',
    ]
    expect(idsIn(result.messages)).to.deep.equal(pairs)
    expect(idsIn(sent.at(-1) ?? [])).to.deep.equal(pairs)
  })

  it('are told apart from those of the messages that the run was given', async () => {
    const call = { type: 'tool-call', callId: 'c1', name: 'read', input: {} } as const
    const output = { type: 'tool-result', callId: 'c1', name: 'read', output: 'x' } as const
    const other = { ...call, callId: 'c1-2' }
    const messages: readonly Message[] = [
      USER,
      { role: 'assistant', parts: [call, other] },
      { role: 'tool', parts: [output, { ...output, callId: 'c1-2' }] },
      USER,
    ]
    answers = [calling('c1')]
    const { result } = await ask({ messages })
    expect(idsIn(result.messages)).to.deep.equal(['tool-call c1-3', 'tool-result c1-3'])
  })

  it('are not taken twice where the model API gives a later call the id that was made', async () => {
    answers = [calling('c1'), calling('c1', 'c1-2')]
    const { result } = await ask()
    expect(idsIn(result.messages).filter((id) => id.startsWith('tool-call'))).to.deep.equal([
      'tool-call c1',
      'tool-call c1-2',
      'tool-call c1-2-2',
    ])
  })

  it('of a call that the provider ran itself stay those of its result', async () => {
    const executed = (id: string) => [
      { type: 'tool-call-start', id, name: 'search', providerExecuted: true },
      { type: 'tool-call-end', id, input: {}, providerExecuted: true },
      { type: 'tool-result', callId: id, name: 'search', output: 'found', providerExecuted: true },
    ]
    answers = [calling('c1'), [...executed('c1'), ...calling('c2')]]
    const { result } = await ask()
    expect(idsIn(result.messages).slice(2)).to.deep.equal([
      'tool-call c1',
      'tool-result c1',
      'tool-call c2',
      'tool-result c2',
    ])
  })
})
