import { expect } from 'chai'
import { agent, speaker, teamOf } from '../children/team.ts'
import { boss, caller, calls, outcomesOf } from './led-team.ts'

const failing = (id: string) => agent(id, [{ then: { fault: 'failed' } }])
const done = (id: string, text = `I am ${id}.`) => ({ agent: id, status: 'done', text })

describe('a broadcast to a team', () => {
  it('AL-13 reaches every member in order, and returns what became of it with each', async () => {
    const members = ['c', 'a', 'b']
    const { ends, result } = await outcomesOf([
      boss([calls('broadcast', { prompt: 'Who are you?' })], members),
      ...members.map((id) => agent(id, [{ then: { text: `I am ${id}: {{user}}` } }])),
    ])
    expect(ends).to.deep.equal([members.map((id) => done(id, `I am ${id}: Who are you?`))])
    expect(result.status).to.equal('done')
  })

  it('AL-13 tells of a failure among the others, and asks them all', async () => {
    const agents = [failing('a'), speaker('b', 'I am b.')]
    const { ends } = await outcomesOf([
      boss([calls('broadcast', { prompt: 'x' })], ['a', 'b']),
      ...agents,
    ])
    const [first, second] = ends[0] as object[]
    expect(first).to.deep.include({ agent: 'a', status: 'failed', code: 'PROVIDER_FAILED' })
    expect(second).to.deep.equal(done('b'))
  })

  it('AL-13 stops at the first error where it is to fail fast, and asks one after the other', async () => {
    const seen: string[] = []
    const hook = {
      name: 'watch',
      onEvent: (id: string, _: unknown, { type }: { readonly type: string }) => {
        if (type === 'start' || type === 'finish' || type === 'error') seen.push(`${id} ${type}`)
      },
    }
    const agents = [speaker('a', 'I am a.'), failing('b'), speaker('c', 'I am c.')]
    const call = calls('broadcast', { prompt: 'x', fail_fast: true })
    const { ends } = await outcomesOf([boss([call], ['a', 'b', 'c']), ...agents], { hooks: [hook] })
    const [first, second, third] = ends[0] as object[]
    expect(first).to.deep.equal(done('a'))
    expect(second).to.deep.include({ agent: 'b', status: 'failed' })
    expect(third).to.deep.equal({ agent: 'c', status: 'not_asked' })
    expect(seen.slice(1, -1)).to.deep.equal(['a start', 'a finish', 'b start', 'b error'])
  })

  it('AL-13 lets members work at the same time where it is not to fail fast', async () => {
    const begun: string[] = []
    let release: () => void = () => undefined
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    const hook = {
      name: 'meet',
      onBeforeRun: async (id: string) => {
        if (id === 'boss') return undefined
        if (begun.push(id) === 2) release()
        await both
        return undefined
      },
    }
    const agents = [speaker('a', 'I am a.'), speaker('b', 'I am b.')]
    const call = calls('broadcast', { prompt: 'x' })
    const { ends } = await outcomesOf([boss([call], ['a', 'b']), ...agents], { hooks: [hook] })
    expect(ends).to.deep.equal([[done('a'), done('b')]])
  })

  it('AL-13 reaches a member that is done again, in a new run', async () => {
    const runs = new Set<string>()
    const hook = {
      name: 'watch',
      onEvent: (id: string, _: unknown, { runId }: { readonly runId: string }) => {
        if (id === 'a') runs.add(runId)
      },
    }
    const call = calls('broadcast', { prompt: 'x' })
    const agents = [boss([call, call], ['a']), speaker('a', 'I am a.')]
    const { ends } = await outcomesOf(agents, { hooks: [hook] })
    expect(ends).to.deep.equal([[done('a')], [done('a')]])
    expect(runs.size).to.equal(2)
  })

  it('AL-14 reaches a subset only, in the order of the members', async () => {
    const members = ['a', 'b', 'c']
    const { ends } = await outcomesOf([
      boss([calls('multicast', { to: ['c', 'a'], prompt: 'x' })], members),
      ...members.map((id) => speaker(id, `I am ${id}.`)),
    ])
    expect(ends).to.deep.equal([[done('a'), done('c')]])
  })

  it('AL-14 refuses a subset with somebody who is not in the team, and asks nobody', async () => {
    const { ends, events } = await outcomesOf([
      boss([calls('multicast', { to: ['a', 'x'], prompt: 'x' })], ['a']),
      speaker('a', 'I am a.'),
    ])
    const end = events.find((event) => event.type === 'tool-execution-end')
    expect(end).to.deep.include({ state: 'validation_failed' })
    expect(ends[0]).to.match(/\/to\/1/)
  })

  it('AL-13 refuses an empty prompt for each member', async () => {
    const agents = [boss([calls('broadcast', { prompt: ' ' })], ['a']), speaker('a', 'I am a.')]
    const { ends } = await outcomesOf(agents)
    const [[first] = []] = ends as { readonly [key: string]: unknown }[][]
    expect(first).to.include({ agent: 'a', status: 'refused' })
    expect(first?.['message']).to.match(/The prompt for the agent "a" is empty/)
  })

  it('AL-22 counts for the leader: tokens of all members', async () => {
    const spent = (id: string, output: number) =>
      agent(id, [{ then: { text: id, usage: { input: 0, output } } }])
    const call = calls('broadcast', { prompt: 'x' })
    const { result, events } = await outcomesOf([
      boss([call], ['a', 'b']),
      spent('a', 1000),
      spent('b', 30_000),
    ])
    const end = events.find((event) => event.type === 'tool-execution-end')
    expect(end?.usage).to.include({ output: 31_000 })
    expect(result.usage.output).to.be.above(31_000)
  })

  it('AW-11 is left out by the catalog of the leader like any other tool', async () => {
    const spec = { ...boss([], ['a']), excluded_tools: ['team_broadcast_boss'] }
    await using team = await teamOf({ agents: [spec, speaker('a', 'x')] })
    const { tools } = await team.runtime.resolve('boss')
    const names = tools.filter(({ offered }) => offered).map(({ tool_name }) => tool_name)
    expect(names).to.deep.equal(
      ['multicast', 'dispatch', 'read', 'write'].map((one) => `team_${one}_boss`),
    )
  })

  it('AW-34 is no unknown name in the catalog of a member, which can have it in its team only', async () => {
    const allowed_tools = ['team_read_boss', 'team_broadcast_boss', 'team_read_other']
    const agents = [boss([], ['a']), speaker('a', 'x', { allowed_tools })]
    await using team = await teamOf({ agents })
    const { tools, warnings } = await team.runtime.resolve('a')
    expect(tools.some(({ offered }) => offered)).to.equal(false)
    expect(warnings.map(({ entry }) => entry)).to.deep.equal(['team_read_other'])
  })

  it('says in its description who the members are', async () => {
    const members = ['a', { agent: 'b', type: 'critic', capabilities: ['prose', 'verse'] }]
    const agents = [
      boss([], members),
      speaker('a', 'x', { description: 'Writes.' }),
      speaker('b', 'x'),
    ]
    await using team = await teamOf({ agents })
    const { tools } = await team.runtime.resolve('boss')
    const { description } = tools.find(({ tool_name }) => tool_name === 'team_broadcast_boss') ?? {}
    expect(description).to.match(
      /The members are: a \(Writes\.\); b \(Its type is "critic"\. It can do: prose, verse\.\)\.$/,
    )
  })

  it('passes a nested team on to its own leader', async () => {
    const inner = caller('a', [{ name: 'team_broadcast_a', input: { prompt: 'x' } }], {
      team: { leader: 'a', members: ['b'] },
    })
    const script = [
      {
        when: { step: 1 },
        then: { tool_calls: [{ name: 'team_broadcast_a', input: { prompt: 'x' } }] },
      },
      { then: { text: 'a heard {{result.team_broadcast_a}}' } },
    ]
    const agents = [
      boss([calls('broadcast', { prompt: 'x' })], ['a']),
      { ...inner, config: { settings: { scripted: { script } } } },
      speaker('b', 'I am b.'),
    ]
    const { ends } = await outcomesOf(agents)
    const [[first] = []] = ends as { readonly text: string }[][]
    expect(first?.text).to.match(/^a heard .*I am b\./)
  })
})
