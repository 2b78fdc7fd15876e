import { expect } from 'chai'
import type { RunOptions, RunResult } from '../../../src/agent/index.ts'
import type { RunEvent, ToolCall } from '../../../src/plugin/index.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { agent, asks, endsIn, leader, read, speaker, teamOf } from './team.ts'

const ran: unknown[] = []
const write = tool('write', {
  getToolSchemas: () => [schema('write')],
  executeTool: ({ input }: ToolCall) => {
    ran.push(input)
    return 'written'
  },
})
const COLOR = { type: 'object', properties: { color: { enum: ['red', 'blue'] } } }
const paint = tool('paint', {
  getToolSchemas: () => [schema('paint')],
  executeTool: ({ answer }: ToolCall) => {
    if (answer) return `painted ${JSON.stringify(answer)}`
    return { output: 'no color', isError: true, question: { question: 'Which?', schema: COLOR } }
  },
})

const ASK = { tool_policy: { write: 'ask' } } as const

/** An agent that calls tools in its first step, and then repeats a result. */
function worker(id: string, calls: readonly object[], said: string) {
  const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: said } }]
  const spec = agent(id, script)
  return { ...spec, config: { ...spec.config, ...ASK } }
}

const writing = (path: string) => ({ name: 'write', input: { path } })

interface AskedInput {
  readonly question: string
  readonly schema: object
  readonly call: object
  readonly arguments: object
}

describe('a question of a delegate', () => {
  beforeEach(() => ran.splice(0))

  /** Runs the leader, one leg after another, with an answer for each. */
  async function legs(
    agents: Parameters<typeof teamOf>[0]['agents'],
    answers: readonly { readonly approved?: boolean; readonly value?: unknown }[],
    options: Partial<RunOptions> = {},
  ) {
    await using team = await teamOf({ agents, plugins: [write, paint] })
    const asked: object[] = []
    const events: RunEvent[] = []
    const all: RunResult[] = []
    let resume: RunOptions['resume']
    for (const answer of [...answers, undefined]) {
      const said = all.flatMap(({ messages }) => messages)
      const go = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
      const stream = await team.runtime.run('leader', {
        ...options,
        messages: [go, ...said],
        ...(resume ? { resume } : {}),
      })
      events.push(...(await read(stream)))
      const result = await stream.result
      all.push(result)
      if (!result.suspension || !answer) return { asked, events, result, all }
      // What a run keeps is JSON.
      const suspension: typeof result.suspension = JSON.parse(JSON.stringify(result.suspension))
      asked.push(...suspension.approvals.map(({ name, input }) => ({ name, input })))
      const [{ approvalId } = { approvalId: '' }] = suspension.approvals
      const verdicts = [{ approvalId, approved: answer.approved ?? true, value: answer.value }]
      resume = { ...suspension, verdicts }
    }
    throw new Error('not reached')
  }

  it('AL-23 surfaces at the root as a question, and the approval goes down', async () => {
    const agents = [
      leader([asks('a', 'write it')], { delegates: ['a'] }),
      worker('a', [writing('wall')], 'It is {{result.write}}.'),
    ]
    const { asked, events, result } = await legs(agents, [{ value: { approve: true } }])
    expect(asked).to.have.length(1)
    expect(asked[0]).to.deep.include({ name: 'agent_run_a' })
    const { input } = asked[0] as { readonly input: AskedInput }
    expect(input.question).to.equal('The agent "a" asks to call "write" with {"path":"wall"}.')
    expect(input.schema).to.deep.include({ required: ['approve'] })
    expect(input.call).to.deep.equal({ agent: 'a', name: 'write', input: { path: 'wall' } })
    expect(input.arguments).to.deep.equal({ prompt: 'write it' })
    expect(endsIn(events)).to.deep.equal([['agent_run_a', 'It is written.']])
    expect(ran).to.deep.equal([{ path: 'wall' }])
    expect(result.status).to.equal('done')
  })

  it('AL-23 tells the model of the delegate the reason why the person says no', async () => {
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      worker('a', [writing('wall')], 'It says: {{result.write}}'),
    ]
    const { events } = await legs(agents, [{ value: { approve: false, reason: 'Wet paint.' } }])
    expect(JSON.stringify(endsIn(events))).to.include('Wet paint.')
    expect(ran).to.deep.equal([])
  })

  for (const [how, answer] of [
    ['says no', { value: { approve: false } }],
    ['declines', { approved: false }],
    ['answers what does not fit', { value: 'yes' }],
  ] as const) {
    it(`AL-23 does not run the call where the person ${how}`, async () => {
      const agents = [
        leader([asks('a', 'x')], { delegates: ['a'] }),
        worker('a', [writing('wall')], 'Over.'),
      ]
      const { events } = await legs(agents, [answer])
      expect(endsIn(events)).to.deep.equal([['agent_run_a', 'Over.']])
      expect(ran).to.deep.equal([])
    })
  }

  it('AL-23 passes through all runs above it', async () => {
    const middle = agent(
      'a',
      [
        { when: { step: 1 }, then: { tool_calls: [asks('b', 'x')] } },
        { then: { text: 'b said: {{result.agent_run_b}}' } },
      ],
      { delegates: ['b'] },
    )
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      middle,
      worker('b', [{ name: 'paint', input: {} }], '{{result.paint}}'),
    ]
    const { asked, events } = await legs(agents, [{ value: { color: 'blue' } }])
    expect(asked[0]).to.deep.include({
      name: 'agent_run_a',
      input: { question: 'Which?', schema: COLOR, arguments: { prompt: 'x' } },
    })
    expect(endsIn(events)).to.deep.equal([
      ['agent_run_a', 'b said: painted {"value":{"color":"blue"}}'],
    ])
  })

  it('AL-23 comes after another: each is asked alone', async () => {
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      worker('a', [writing('one'), writing('two')], 'Over.'),
    ]
    const yes = { value: { approve: true } }
    const { asked, result } = await legs(agents, [yes, { value: { approve: false } }])
    expect(asked).to.have.length(2)
    expect(ran).to.deep.equal([{ path: 'one' }])
    expect(result.status).to.equal('done')
  })

  it('AL-23 holds up no other delegate of the step', async () => {
    const agents = [
      leader([asks('a', 'x'), asks('b', 'x')], { delegates: ['a', 'b'] }),
      worker('a', [writing('wall')], 'Over.'),
      speaker('b', 'I am ready.'),
    ]
    const { events } = await legs(agents, [{ value: { approve: true } }])
    expect(endsIn(events)).to.deep.equal([
      ['agent_run_b', 'I am ready.'],
      ['agent_run_a', 'Over.'],
    ])
  })

  it('AL-23 is a structured result where nobody can be asked', async () => {
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      worker('a', [writing('wall')], 'Over.'),
    ]
    const { events, result } = await legs(agents, [], { canAsk: false })
    const [[, output] = []] = endsIn(events)
    expect(output).to.deep.equal({
      agent: 'a',
      status: 'waiting',
      message: 'The agent "a" asks to call "write" with {"path":"wall"}.',
    })
    expect(result.suspension).to.equal(undefined)
    expect(ran).to.deep.equal([])
  })

  it('AL-22 counts what the child used in each leg once', async () => {
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      worker('a', [writing('wall')], 'Over.'),
    ]
    const counted: number[] = []
    const { all } = await legs(agents, [{ value: { approve: true } }], {
      onAnswer: ({ result }) => counted.push(result.usage.output ?? 0),
    })
    const outputs = all.map(({ usage }) => usage.output ?? 0)
    expect(outputs.reduce((sum, one) => sum + one, 0)).to.equal(
      counted.reduce((sum, one) => sum + one, 0),
    )
    expect(outputs).to.have.length(2)
  })
})
