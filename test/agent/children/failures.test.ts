import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import { systemEnvironment } from '../../../src/agent/index.ts'
import { HostError, type PartialEvent } from '../../../src/plugin/index.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { ENDPOINT, FakeBackend, said } from '../backends/fake-backend.ts'
import { agent, asks, endsIn, leader, read, speaker, type Team, teamOf } from './team.ts'

/** What a leader is told of the agent "a". */
async function toldOf(spec: AgentSpec, team: Partial<Team> = {}, options: object = {}) {
  const agents = [leader([asks('a', 'x')], { delegates: ['a'] }), spec, ...(team.agents ?? [])]
  await using made = await teamOf({ ...team, agents })
  const stream = await made.runtime.run('leader', { messages: 'go', ...options })
  const events = await read(stream)
  const { status, steps } = await stream.result
  expect([status, steps]).to.deep.equal(['done', 2])
  const end = events.find((event) => event.type === 'tool-execution-end')
  return { output: end?.result.output, state: end?.state, error: end?.error }
}

describe('a delegate that does not answer', () => {
  it('AL-06 and fails is a structured result, and its parent goes on', async () => {
    const failing = agent('a', [
      { when: { step: 1 }, then: { text: 'I begin.', tool_calls: [{ name: 'none', input: {} }] } },
      { then: { fault: 'failed' } },
    ])
    const { output, state, error } = await toldOf(failing)
    expect(output).to.deep.include({
      agent: 'a',
      status: 'failed',
      code: 'PROVIDER_FAILED',
      text: 'I begin.',
    })
    expect(state).to.equal('failed')
    expect(error).to.deep.include({ class: 'execution_failed' })
  })

  it('AL-06 and cannot begin is a structured result', async () => {
    const { output } = await toldOf({ id: 'a', plugin_ids: ['absent'] })
    expect(output).to.deep.include({ agent: 'a', status: 'failed', code: 'PLUGIN_NOT_FOUND' })
  })

  it('AL-06 and reaches its limit is a structured result with what it has said', async () => {
    const looping = agent(
      'a',
      [{ then: { text: 'on', tool_calls: [{ name: 'no', input: {} }] } }],
      {
        max_rounds: 2,
      },
    )
    const { output } = await toldOf(looping)
    expect(output).to.deep.include({
      agent: 'a',
      status: 'stopped',
      code: 'max_rounds',
      text: 'on\non',
    })
  })

  it('AL-20 elsewhere that takes longer than its time has timed out, like one here', async () => {
    const backend = new FakeBackend({
      async *ask(): AsyncIterable<readonly PartialEvent[]> {
        yield said('half')
        throw new HostError('TIMEOUT', 'The remote agent took longer than 5 ms.')
      },
    })
    const { output, state, error } = await toldOf(
      { id: 'a', endpoint: ENDPOINT },
      { backends: [backend] },
    )
    expect(output).to.deep.include({ agent: 'a', status: 'timed_out', code: 'TIMEOUT' })
    expect(state).to.equal('timed_out')
    expect(error).to.deep.include({ class: 'timeout' })
  })

  it('AL-06 and whose backend throws is a structured result', async () => {
    const backend = new FakeBackend({
      async *ask(): AsyncIterable<readonly PartialEvent[]> {
        yield []
        throw new Error('the line is dead')
      },
    })
    const { output } = await toldOf({ id: 'a', endpoint: ENDPOINT }, { backends: [backend] })
    expect(output).to.deep.include({ agent: 'a', status: 'failed', message: 'the line is dead' })
  })

  it('AL-22 because it would ask itself is a structured result', async () => {
    const agents = [leader([asks('leader', 'x')], { delegates: ['leader'] })]
    await using team = await teamOf({ agents })
    const events = await read(await team.runtime.run('leader', { messages: 'go' }))
    const [[, output] = []] = endsIn(events)
    expect(output).to.deep.include({ agent: 'leader', status: 'refused', code: 'CIRCLE' })
    expect((output as { message: string }).message).to.match(/leader → leader\.$/)
  })

  it('AL-22 because it stands in a circle is a structured result where the circle closes', async () => {
    const asking = (id: string, next: string) =>
      agent(
        id,
        [
          { when: { step: 1 }, then: { tool_calls: [asks(next, 'x')] } },
          { then: { text: `${id} heard: {{result.agent_run_${next}}}` } },
        ],
        { delegates: [next] },
      )
    const { output } = await toldOf(asking('a', 'b'), { agents: [asking('b', 'a')] })
    expect(output).to.match(/^a heard: b heard: .*CIRCLE.* a → b → a/)
  })

  it('AL-22 because it would be deeper than 5 is a structured result', async () => {
    const deep: string[] = []
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    const chain = ids.map((id, at) => {
      const next = ids[at + 1] ?? 'end'
      const script = [
        { when: { step: 1 }, then: { tool_calls: [asks(next, 'x')] } },
        { then: { text: `${id} heard: {{result.agent_run_${next}}}` } },
      ]
      return agent(id, script, { delegates: [next] })
    })
    const [first = speaker('a', ''), ...rest] = chain
    const { output } = await toldOf(first, {
      agents: [...rest, speaker('end', 'the end')],
      hooks: [{ name: 'watch', onEvent: (id, _, { type }) => type === 'start' && deep.push(id) }],
    })
    expect(deep).to.deep.equal(['leader', 'a', 'b', 'c', 'd', 'e'])
    const [, told = '{}'] = /e heard: (.*)$/.exec(String(output)) ?? []
    expect(JSON.parse(told)).to.deep.equal({
      agent: 'f',
      status: 'refused',
      code: 'TOO_DEEP',
      message: 'A run may stand at most 5 runs below its root.',
    })
  })

  it('AL-20 in time is cancelled, and its parent has what it said so far', async () => {
    const sleeping: number[] = []
    const environment = {
      ...systemEnvironment,
      sleep: (milliseconds: number, signal?: AbortSignal) => {
        sleeping.push(milliseconds)
        return systemEnvironment.sleep(milliseconds === 300_000 ? 30 : milliseconds, signal)
      },
    }
    const slow = agent('a', [
      { when: { step: 1 }, then: { text: 'Half of it.', tool_calls: [{ name: 'no', input: {} }] } },
      { then: { fault: 'stall' } },
    ])
    const { output, state } = await toldOf(slow, {}, { environment })
    expect(output).to.deep.equal({
      agent: 'a',
      status: 'timed_out',
      message: 'It did not end within 300 seconds.',
      text: 'Half of it.',
    })
    expect(state).to.equal('timed_out')
    expect(sleeping[0]).to.equal(300_000)
  })

  it('AL-20 in the time that the run allows', async () => {
    const slow = agent('a', [{ then: { fault: 'stall' } }])
    const { output } = await toldOf(slow, {}, { childLimits: { seconds: 0.02 } })
    expect(output).to.deep.include({ message: 'It did not end within 0.02 seconds.' })
  })

  it('AL-24 and does not end even when it is cancelled keeps its parent for a second only', async () => {
    const never = new Promise<never>(() => undefined)
    const backend = new FakeBackend({
      async *ask() {
        yield said('I never end.')
        await never
      },
    })
    const slept: number[] = []
    const environment = {
      ...systemEnvironment,
      sleep: (milliseconds: number, signal?: AbortSignal) => {
        slept.push(milliseconds)
        return systemEnvironment.sleep(milliseconds / 10_000, signal)
      },
    }
    const spec = { id: 'a', endpoint: ENDPOINT }
    const { output } = await toldOf(spec, { backends: [backend] }, { environment })
    expect(output).to.deep.include({ agent: 'a', status: 'timed_out' })
    expect(slept).to.deep.equal([300_000, 1000])
  })
})

describe('cancelling a run', () => {
  it('AL-24 cancels its children first, down to the leaves', async () => {
    const order: string[] = []
    let reached: () => void = () => undefined
    const hung = new Promise<void>((resolve) => {
      reached = resolve
    })
    const hang = tool('hang', {
      getToolSchemas: () => [schema('hang')],
      executeTool: (_: unknown, _state: unknown, { signal }: { signal: AbortSignal }) => {
        reached()
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        )
      },
    })
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      agent('a', [{ then: { tool_calls: [asks('b', 'x'), asks('c', 'x')] } }], {
        delegates: ['b', 'c'],
      }),
      agent('b', [{ then: { tool_calls: [{ name: 'hang', input: {} }] } }]),
      agent('c', [{ then: { fault: 'stall' } }]),
    ]
    await using team = await teamOf({
      agents,
      plugins: [hang],
      hooks: [{ name: 'watch', onEvent: (id, _, { type }) => type === 'abort' && order.push(id) }],
    })
    const cancel = new AbortController()
    const stream = await team.runtime.run('leader', { messages: 'go', signal: cancel.signal })
    void hung.then(() => cancel.abort('enough'))
    const events = await read(stream)
    expect(order.slice(0, 2)).to.have.members(['b', 'c'])
    expect(order.slice(2)).to.deep.equal(['a', 'leader'])
    expect(events.at(-1)).to.deep.include({ type: 'abort', reason: 'enough' })
    expect(events.find((event) => event.type === 'tool-execution-end')).to.deep.include({
      state: 'canceled',
    })
  })
})
