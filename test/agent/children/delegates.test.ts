import { expect } from 'chai'
import { childProgressIn } from '../../../src/agent/children/index.ts'
import { RuleBook, type RunResult } from '../../../src/agent/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { ENDPOINT, FakeBackend } from '../backends/fake-backend.ts'
import { agent, asks, endsIn, leader, read, speaker, teamOf } from './team.ts'

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => (HostError.is(error) ? `${error.code}: ${error.message}` : String(error)),
  )

describe('delegates', () => {
  it('AW-10 are tools, whose calls are runs of the agents', async () => {
    const delegates = ['researcher']
    await using team = await teamOf({
      agents: [
        leader([asks('researcher', 'Find the sea.')], { delegates }),
        agent(
          'researcher',
          [{ when: { equals: 'Find the sea.' }, then: { text: 'It is west.' } }],
          {
            description: 'Finds things.',
          },
        ),
      ],
    })
    const { tools } = await team.runtime.resolve('leader')
    expect(tools.find(({ offered }) => offered)).to.deep.include({
      tool_name: 'agent_run_researcher',
      runtime_owner: 'subagent',
    })
    expect(tools.find(({ offered }) => offered)?.description).to.match(/Finds things\.$/)
    const stream = await team.runtime.run('leader', { messages: 'go' })
    const events = await read(stream)
    expect(endsIn(events)).to.deep.equal([['agent_run_researcher', 'It is west.']])
    expect((await stream.result).status).to.equal('done')
  })

  it('AW-10 that nobody declared are an error of the look-up', async () => {
    await using team = await teamOf({
      agents: [speaker('researcher', 'x'), leader([], { delegates: ['reseacher'] })],
    })
    const expected =
      /^AGENT_NOT_FOUND: .*The agent "leader" refers to it.*Did you mean "researcher"\?/
    expect(await codeOf(team.runtime.resolve('leader'))).to.match(expected)
    expect(await codeOf(team.runtime.run('leader', { messages: 'go' }))).to.match(expected)
  })

  for (const prompt of ['', ' \n']) {
    it(`AW-10 refuse ${JSON.stringify(prompt)} as a prompt`, async () => {
      const agents = [leader([asks('a', prompt)], { delegates: ['a'] }), speaker('a', 'x')]
      await using team = await teamOf({ agents })
      const events = await read(await team.runtime.run('leader', { messages: 'go' }))
      const end = events.find((event) => event.type === 'tool-execution-end')
      expect(end).to.deep.include({ state: 'validation_failed' })
      expect(end?.result.output).to.deep.equal({
        agent: 'a',
        status: 'refused',
        code: 'PROMPT_EMPTY',
        message: 'The prompt for the agent "a" is empty. Say what it is to do.',
      })
    })
  }

  it('AW-11 are left out by the catalog like any other tool', async () => {
    const spec = { delegates: ['a', 'b'], excluded_tools: ['agent_run_b'] }
    const agents = [leader([], spec), speaker('a', 'x'), speaker('b', 'x')]
    await using team = await teamOf({ agents })
    const { tools } = await team.runtime.resolve('leader')
    const offered = tools.filter((one) => one.offered).map(({ tool_name }) => tool_name)
    expect(offered).to.deep.equal(['agent_run_a'])
  })

  it('AW-12 see their prompt and nothing else of the conversation of the root', async () => {
    const seen: (string | undefined)[] = []
    const agents = [leader([asks('a', 'only this')], { delegates: ['a'] }), speaker('a', 'x')]
    const hook = {
      name: 'watch',
      onBeforeRun: (id: string, conversation: string | undefined, history: readonly object[]) => {
        seen.push(`${id} in ${conversation}: ${history.length}`)
        return undefined
      },
    }
    await using team = await teamOf({ agents, hooks: [hook] })
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'two' }] },
      { role: 'user', parts: [{ type: 'text', text: 'three' }] },
    ] as const
    await read(await team.runtime.run('leader', { messages, conversationId: 'c' }))
    expect(seen).to.deep.equal(['leader in c: 3', 'a in undefined: 1'])
  })

  it('AW-10 may run elsewhere, by a backend', async () => {
    const backend = new FakeBackend()
    const agents = [
      leader([asks('far', 'over there')], { delegates: ['far'] }),
      { id: 'far', endpoint: ENDPOINT },
    ]
    await using team = await teamOf({ agents, backends: [backend] })
    const events = await read(await team.runtime.run('leader', { messages: 'go' }))
    expect(endsIn(events)).to.deep.equal([['agent_run_far', 'over there']])
    expect(backend.orders[0]?.conversationKey).to.equal(undefined)
  })

  it('AW-16 whose backend is not there are left out with a warning, and the others work', async () => {
    const agents = [
      leader([asks('near', 'x')], { delegates: ['far', 'near'] }),
      { id: 'far', endpoint: ENDPOINT },
      speaker('near', 'I am here.'),
    ]
    await using team = await teamOf({ agents })
    const { tools, warnings } = await team.runtime.resolve('leader')
    const names = tools.filter(({ offered }) => offered).map(({ tool_name }) => tool_name)
    expect(names).to.deep.equal(['agent_run_near'])
    expect(warnings.map(({ code, entry }) => [code, entry])).to.deep.equal([
      ['DELEGATE_LEFT_OUT', 'far'],
    ])
    const stream = await team.runtime.run('leader', { messages: 'go' })
    expect(endsIn(await read(stream))).to.deep.equal([['agent_run_near', 'I am here.']])
    expect((await stream.result).warnings).to.deep.equal([warnings[0]?.message])
  })

  it('AL-22 count for their parent: tokens, and each request', async () => {
    const usage = (input: number, output: number) => ({ usage: { input, output } })
    const agents = [
      agent(
        'leader',
        [
          { when: { step: 1 }, then: { tool_calls: [asks('a', 'x')], ...usage(1, 10) } },
          { then: { text: 'done', ...usage(2, 20) } },
        ],
        { delegates: ['a'] },
      ),
      agent(
        'a',
        [
          { when: { step: 1 }, then: { tool_calls: [asks('b', 'x')], ...usage(100, 1000) } },
          { then: { text: 'so', ...usage(200, 2000) } },
        ],
        { delegates: ['b'] },
      ),
      agent('b', [{ then: { text: 'deep', ...usage(10_000, 20_000) } }]),
    ]
    await using team = await teamOf({ agents })
    const counted: number[] = []
    const stream = await team.runtime.run('leader', {
      messages: 'go',
      onAnswer: ({ result }) => counted.push(result.usage.output ?? 0),
    })
    const events = await read(stream)
    const end = events.find((event) => event.type === 'tool-execution-end')
    expect(end?.usage).to.deep.include({ input: 10_300, output: 23_000 })
    const { usage: whole } = await stream.result
    expect(whole).to.deep.include({ input: 10_303, output: 23_030 })
    expect(counted).to.deep.equal([10, 1000, 20_000, 2000, 20])
  })

  it('AL-22 count for the stop conditions of their parent', async () => {
    const spend = { usage: { input: 500, output: 500 } }
    const agents = [
      agent(
        'leader',
        [{ then: { tool_calls: [asks('a', 'again')], usage: { input: 1, output: 1 } } }],
        { delegates: ['a'], stop_conditions: [{ type: 'token_budget', max_total: 1500 }] },
      ),
      agent('a', [{ then: { text: 'so', ...spend } }]),
    ]
    await using team = await teamOf({ agents })
    const { termination, steps } = await (await team.runtime.run('leader', { messages: 'go' }))
      .result
    expect(termination).to.deep.include({ reason: 'stopped', code: 'token_budget' })
    expect(steps).to.equal(2)
  })

  it('AL-22 have the tools of their own spec', async () => {
    const look = tool('look', {
      getToolSchemas: () => [schema('look')],
      executeTool: () => 'seen',
    })
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'look', input: {} }] } },
      { then: { text: 'I looked: {{result.look}}' } },
    ]
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'], allowed_tools: ['agent_run_a'] }),
      agent('a', script),
    ]
    await using team = await teamOf({ agents, plugins: [look] })
    const events = await read(await team.runtime.run('leader', { messages: 'go' }))
    expect(endsIn(events)).to.deep.equal([['agent_run_a', 'I looked: seen']])
  })

  it('AL-17 keep to the rules of their parent, also as its owner changes them', async () => {
    let ran = 0
    const rules = await RuleBook.of({ forbidden_patterns: ['secret'] })
    const look = tool('look', {
      getToolSchemas: () => [schema('look')],
      executeTool: async () => {
        ran++
        await rules.change({ forbidden_patterns: ['other'] })
        return 'seen'
      },
    })
    const calling = (step: number, path: string) => ({
      when: { step },
      then: { tool_calls: [{ name: 'look', input: { path } }] },
    })
    const script = [calling(1, 'secret'), calling(2, 'open'), calling(3, 'other')]
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      agent('a', [...script, { then: { text: 'over' } }]),
    ]
    await using team = await teamOf({ agents, plugins: [look] })
    const events = await read(await team.runtime.run('leader', { messages: 'go', rules }))
    expect(endsIn(events)).to.deep.equal([['agent_run_a', 'over']])
    expect(ran).to.equal(1)
  })

  it('tell what they do as the progress of the call', async () => {
    const agents = [leader([asks('a', 'x')], { delegates: ['a'] }), speaker('a', 'y'.repeat(300))]
    await using team = await teamOf({ agents })
    const events = await read(await team.runtime.run('leader', { messages: 'go' }))
    const progress = events.flatMap((event) =>
      event.type === 'tool-execution-progress' ? [event.progress] : [],
    )
    const [first] = progress as { readonly runId: string }[]
    const parentRunId = events[0]?.runId
    const child = { runId: first?.runId, agent: 'a', depth: 1, lane: 'subagent', parentRunId }
    expect(progress).to.deep.equal([
      child,
      { ...child, step: 1 },
      { ...child, step: 1, preview: `${'y'.repeat(200)}...` },
      { ...child, state: 'completed' },
    ])
    expect(first?.runId).not.to.equal(events[0]?.runId)
  })

  it('tell what those do that they ask, up to the root', async () => {
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      agent(
        'a',
        [
          { when: { step: 1 }, then: { tool_calls: [asks('b', 'x'), asks('a', 'x')] } },
          { then: { text: 'a' } },
        ],
        { delegates: ['b', 'a'] },
      ),
      agent('b', [{ then: { fault: 'failed' } }]),
    ]
    await using team = await teamOf({ agents })
    const events = await read(await team.runtime.run('leader', { messages: 'go' }))
    const told = events.flatMap((event) => childProgressIn(event) ?? [])
    const [a] = told.filter((child) => child.agent === 'a')
    const ofB = told.filter((child) => child.agent === 'b')
    expect(ofB.map(({ depth, parentRunId }) => [depth, parentRunId])).to.deep.equal(
      ofB.map(() => [2, a?.runId]),
    )
    expect(ofB.at(-1)).to.deep.include({ state: 'failed', code: 'PROVIDER_FAILED' })
    expect(told.at(-1)).to.deep.include({ agent: 'a', state: 'completed' })
  })

  it('are not mistaken for a tool that tells the like', async () => {
    const spoof = tool('spoof', {
      getToolSchemas: () => [schema('spoof')],
      async *executeTool() {
        yield { runId: 'r', agent: 'a', depth: 1, lane: 'subagent', state: 'completed' }
        yield 'done'
      },
    })
    const agents = [leader([{ name: 'spoof', input: { path: 'x' } }])]
    await using team = await teamOf({ agents, plugins: [spoof] })
    const events = await read(await team.runtime.run('leader', { messages: 'go' }))
    expect(events.some(({ type }) => type === 'tool-execution-progress')).to.equal(true)
    expect(events.flatMap((event) => childProgressIn(event) ?? [])).to.deep.equal([])
  })

  it('are seen in the feed of their runtime, under their own ids', async () => {
    const agents = [leader([asks('a', 'x')], { delegates: ['a'] }), speaker('a', 'y')]
    await using team = await teamOf({ agents })
    const feed = team.runtime.subscribeEvents()
    const result: RunResult = await (await team.runtime.run('leader', { messages: 'go' })).result
    const runs = new Map<string, Set<string>>()
    for await (const item of feed) {
      if (!('event' in item)) continue
      const { runId, type } = item.event
      runs.set(item.agent, (runs.get(item.agent) ?? new Set()).add(runId))
      if (type === 'finish' && runId === result.runId) break
    }
    const [leading, asked] = [runs.get('leader'), runs.get('a')]
    expect([...(leading ?? [])]).to.deep.equal([result.runId])
    expect(asked?.size).to.equal(1)
    expect(asked?.has(result.runId)).to.equal(false)
  })
})
