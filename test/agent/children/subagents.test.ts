import { expect } from 'chai'
import { childProgressIn } from '../../../src/agent/children/index.ts'
import { RuleBook } from '../../../src/agent/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { agent, asks, endsIn, leader, read, teamOf } from './team.ts'

const look = tool('look', {
  getToolSchemas: () => [schema('look')],
  executeTool: () => 'seen',
})

const spawn = (...tasks: readonly object[]) => ({ name: 'agent_spawn', input: { tasks } })
const LOOK = { tool_calls: [{ name: 'look', input: {} }] }

/** An agent that gives parts of its work to subagents, which have its script. */
function worker(tasks: readonly object[], more: readonly { when?: object; then: object }[] = []) {
  return agent(
    'worker',
    [
      ...more,
      { when: { equals: 'go', step: 1 }, then: { tool_calls: [spawn(...tasks)] } },
      { when: { equals: 'go' }, then: { text: 'All are back.' } },
      { when: { step: 1 }, then: LOOK },
      { then: { text: '{{user}}: {{result.look}}' } },
    ],
    { subagents: true },
  )
}

describe('subagents', () => {
  async function outputOf(one: ReturnType<typeof worker>, options: object = {}) {
    await using team = await teamOf({ agents: [one], plugins: [look] })
    const stream = await team.runtime.run('worker', { messages: 'go', ...options })
    const events = await read(stream)
    expect((await stream.result).status).to.equal('done')
    const [[, output] = []] = endsIn(events)
    return output
  }

  it('AL-20 return what they say in the order of the tasks', async () => {
    const prompts = Array.from({ length: 7 }, (_, index) => `part ${index}`)
    const output = await outputOf(worker(prompts.map((prompt) => ({ prompt }))))
    expect(output).to.deep.equal(
      prompts.map((prompt) => ({ status: 'done', text: `${prompt}: seen` })),
    )
  })

  it('AL-06 that fail are collected beside those that do not', async () => {
    const failing = { when: { text: 'bad' }, then: { fault: 'failed' } }
    const tasks = [{ prompt: 'good' }, { prompt: 'bad' }, { prompt: ' ' }]
    const output = (await outputOf(worker(tasks, [failing]))) as readonly unknown[]
    expect(output[0]).to.deep.equal({ status: 'done', text: 'good: seen' })
    expect(output[1]).to.deep.include({ agent: 'worker', status: 'failed' })
    expect(output[2]).to.deep.include({
      agent: 'worker',
      status: 'refused',
      code: 'PROMPT_EMPTY',
    })
  })

  it('AL-22 have the tools of their parent, and no deeper than five', async () => {
    const runs = new Set<string>()
    const deeper = agent(
      'worker',
      [
        { when: { step: 1 }, then: { tool_calls: [spawn({ prompt: 'on' })] } },
        { then: { text: '{{result.agent_spawn}}' } },
      ],
      { subagents: true },
    )
    const told: unknown[] = []
    await using team = await teamOf({
      agents: [deeper],
      hooks: [
        {
          name: 'watch',
          onEvent: (_, _c, event) => {
            runs.add(event.runId)
            if (event.type === 'tool-execution-end') told.push(event.result.output)
          },
        },
      ],
    })
    const { status } = await (await team.runtime.run('worker', { messages: 'go' })).result
    expect(status).to.equal('done')
    expect(runs.size).to.equal(6)
    const message = 'A run may stand at most 5 runs below its root.'
    const tooDeep = { agent: 'worker', status: 'refused', code: 'TOO_DEEP', message }
    expect(told[0]).to.deep.equal([tooDeep])
  })

  it('AL-20 are no more below a root than the run allows, at all depths together', async () => {
    const spawning = agent(
      'worker',
      [
        {
          when: { text: 'deeper', step: 1 },
          then: { tool_calls: [spawn({ prompt: 'a' }, { prompt: 'b' })] },
        },
        {
          when: { text: 'go', step: 1 },
          then: { tool_calls: [spawn({ prompt: 'deeper' }, { prompt: 'c' }, { prompt: 'd' })] },
        },
        { then: { text: 'done' } },
      ],
      { subagents: true },
    )
    const told: unknown[] = []
    await using team = await teamOf({
      agents: [spawning],
      hooks: [
        {
          name: 'watch',
          onEvent: (_, _c, event) => {
            if (event.type === 'tool-execution-end') told.push(event.result.output)
          },
        },
      ],
    })
    const options = { messages: 'go', childLimits: { total: 4 } }
    const { status } = await (await team.runtime.run('worker', options)).result
    expect(status).to.equal('done')
    const message =
      'A run may have at most 4 runs below it, and these have begun. Go on without another agent.'
    const tooMany = { agent: 'worker', status: 'refused', code: 'TOO_MANY', message }
    const done = { status: 'done', text: 'done' }
    expect(told).to.deep.equal([
      [done, tooMany],
      [done, done, done],
    ])
  })

  it('AL-17 have only the tools of their task, and of those that the rules allow', async () => {
    const none = await outputOf(worker([{ prompt: 'a', tools: [] }, { prompt: 'b' }]))
    const [first, second] = none as readonly { text: string }[]
    expect(first?.text).to.match(/^a: .*"?look"?.*the task does not name it/)
    expect(second?.text).to.equal('b: seen')
    const rules = await RuleBook.of({ allowed_tools: ['agent_spawn'] })
    const [third] = (await outputOf(worker([{ prompt: 'c', tools: ['look'] }]), {
      rules,
    })) as readonly { text: string }[]
    expect(third?.text).to.match(/^c: .*do not allow "look"/)
  })

  it('AL-07 are offered the tools of their task only', async () => {
    const offered: unknown[] = []
    const one = worker([{ prompt: 'a', tools: ['look'] }])
    const watch = {
      name: 'watch',
      onEvent: (_: unknown, _c: unknown, event: RunEvent) => {
        if (event.type !== 'tool-inventory') return
        const names = event.tools.filter((one) => one.offered).map(({ tool_name }) => tool_name)
        offered.push(names.sort())
      },
    }
    await using team = await teamOf({ agents: [one], plugins: [look], hooks: [watch] })
    await (await team.runtime.run('worker', { messages: 'go' })).result
    expect(offered).to.deep.equal([['agent_spawn', 'look'], ['look']])
  })

  it('AL-07 are refused where their task names a tool that there is not', async () => {
    const output = await outputOf(worker([{ prompt: 'a', tools: ['lok'] }, { prompt: 'b' }]))
    expect(output).to.deep.equal([
      {
        agent: 'worker',
        status: 'refused',
        code: 'TOOL_UNKNOWN',
        message: 'The task names the tool "lok", which you do not have. Did you mean "look"?',
      },
      { status: 'done', text: 'b: seen' },
    ])
  })

  it('AL-23 that ask a person are a structured result', async () => {
    const one = worker([{ prompt: 'a' }])
    const asking = { ...one, config: { ...one.config, tool_policy: { look: 'ask' } as const } }
    expect(await outputOf(asking)).to.deep.equal([
      {
        agent: 'worker',
        status: 'waiting',
        message: 'The agent "worker" asks to call "look" with {}.',
      },
    ])
  })

  it('AL-20 of a run that is itself below another are told once, each at its own place', async () => {
    const a = { ...worker([{ prompt: 'x' }, { prompt: 'y' }]), id: 'a' }
    const root = leader([asks('a', 'go')], { delegates: ['a'] })
    await using team = await teamOf({ agents: [root, a], plugins: [look] })
    const events = await read(await team.runtime.run('leader', { messages: 'go' }))
    const told = events.flatMap((event) => childProgressIn(event) ?? [])
    const places = new Map<string, Set<string>>()
    for (const { runId, depth, task } of told) {
      places.set(runId, (places.get(runId) ?? new Set()).add(`${depth}/${task}`))
    }
    expect([...places.values()].map((all) => [...all])).to.have.deep.members([
      ['1/undefined'],
      ['2/0'],
      ['2/1'],
    ])
    const said = told.flatMap(({ task, preview }) => (task === undefined ? [] : (preview ?? [])))
    expect(said.toSorted()).to.deep.equal(['x: seen', 'y: seen'])
  })

  it('are not offered without the field', async () => {
    await using team = await teamOf({ agents: [{ id: 'a' }, { id: 'b', subagents: true }] })
    const toolsOf = async (id: string) =>
      (await team.runtime.resolve(id)).tools.map(({ tool_name: name }) => name)
    expect(await toolsOf('a')).not.to.include('agent_spawn')
    expect(await toolsOf('b')).to.include('agent_spawn')
  })
})
