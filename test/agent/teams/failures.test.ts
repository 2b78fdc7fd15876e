import { expect } from 'chai'
import { systemEnvironment } from '../../../src/agent/index.ts'
import type { RunEvent } from '../../../src/plugin/index.ts'
import { runsOf } from '../../helpers/cases.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { ENDPOINT } from '../backends/fake-backend.ts'
import { agent, speaker, type Team, teamOf } from '../children/team.ts'
import { boss, caller, calls, outcomesOf } from './led-team.ts'

const toAll = calls('broadcast', { prompt: 'x' })

/** What a leader is told of the member "a" beside a member "b" that answers. */
async function toldOf(member: Team['agents'][number], more: Partial<Team> = {}, options = {}) {
  const agents = [boss([toAll], ['a', 'b']), member, speaker('b', 'I am b.')]
  const { ends, result } = await outcomesOf(agents, more, options)
  expect([result.status, result.steps]).to.deep.equal(['done', 2])
  const [[first, second] = []] = ends as { readonly [key: string]: unknown }[][]
  expect(second).to.deep.equal({ agent: 'b', status: 'done', text: 'I am b.' })
  return first
}

describe('a member of a team that does not answer', () => {
  it('AL-06 and throws is a structured result', async () => {
    const hook = {
      name: 'throws',
      onBeforeRun: (id: string) => {
        if (id === 'a') throw new Error('no way')
        return undefined
      },
    }
    const told = await toldOf(speaker('a', 'x'), { hooks: [hook] })
    expect(told).to.include({ agent: 'a', status: 'failed', code: 'HOOK_FAILED' })
  })

  it('AL-06 and loses its provider is a structured result', async () => {
    const told = await toldOf(agent('a', [{ then: { text: 'One two three', fault: 'cut' } }]))
    expect(told).to.include({ agent: 'a', status: 'failed', code: 'STREAM_INTERRUPTED' })
  })

  it('AL-06 and has a provider that nobody knows is a structured result', async () => {
    const told = await toldOf({ id: 'a', model_id: 'none' })
    expect(told).to.include({ agent: 'a', status: 'failed', code: 'MODEL_NOT_FOUND' })
  })

  it('AL-06 and hangs is a structured result when its time is over', async () => {
    const environment = {
      ...systemEnvironment,
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        systemEnvironment.sleep(milliseconds === 300_000 ? 50 : milliseconds, signal),
    }
    const slow = agent('a', [{ then: { fault: 'stall' } }])
    const told = await toldOf(slow, {}, { environment })
    expect(told).to.include({ agent: 'a', status: 'timed_out' })
  })

  it('AL-06 and floods is a structured result, of which the leader sees as much as of any result', async () => {
    const agents = [boss([toAll], ['a']), speaker('a', 'flood '.repeat(runsOf(100_000)))]
    const { ends, events, result } = await outcomesOf(agents)
    expect(result.status).to.equal('done')
    expect(JSON.stringify(ends[0]).length).to.be.below(100_000)
    const end = events.find((event) => event.type === 'tool-execution-end')
    expect(end?.result.references).to.have.length(1)
  })

  it('AL-06 and floods with calls is stopped by the limit of its rounds', async () => {
    const flooding = agent('a', [
      { then: { tool_calls: Array(50).fill({ name: 'no', input: {} }) } },
    ])
    const told = await toldOf({ ...flooding, max_rounds: 3 })
    expect(told).to.include({ agent: 'a', status: 'stopped', code: 'max_rounds' })
  })

  it('AW-16 and whose backend is not there is left out, with a warning', async () => {
    const agents = [
      boss([toAll], ['far', 'b']),
      { id: 'far', endpoint: ENDPOINT },
      speaker('b', 'b'),
    ]
    await using team = await teamOf({ agents })
    const { warnings } = await team.runtime.resolve('boss')
    expect(warnings.map(({ code, field, entry }) => [code, field, entry])).to.deep.equal([
      ['MEMBER_LEFT_OUT', 'team', 'far'],
    ])
    const { ends, result } = await outcomesOf(agents)
    expect(ends).to.deep.equal([[{ agent: 'b', status: 'done', text: 'b' }]])
    expect(result.warnings).to.deep.equal([warnings[0]?.message])
  })

  it('AW-16 and is left out leaves nobody to ask, if it is the only one', async () => {
    const far = { id: 'far', endpoint: ENDPOINT }
    const led = { leader: 'boss', members: ['far'] }
    const elected = { members: ['a', 'far'] }
    const shares = ['read', 'write']
    for (const [leader, team] of [['boss', led] as const, ['a', elected] as const]) {
      const said: string[] = []
      const hook = {
        name: 'watch',
        onEvent: (id: string, _: unknown, event: RunEvent) => {
          if (id === leader && event.type === 'tool-execution-end')
            said.push(String(event.result.output))
        },
      }
      const run = calls('run', { prompt: 'x' })
      const asking = [calls('multicast', { to: ['far'], prompt: 'x' })]
      const agents = [
        caller('boss', leader === 'boss' ? asking : [run], { team }),
        caller('a', asking),
        far,
      ]
      const { result } = await outcomesOf(agents, { hooks: [hook] })
      expect([result.status, result.warnings.length]).to.deep.equal(['done', 1])
      const offered = shares.map((one) => `team_${one}_boss`).join(', ')
      expect(said).to.deep.equal([
        `Tool not registered: team_multicast_boss. The tools are ${offered}.`,
      ])
    }
  })

  it('AL-24 because its leader is cancelled ends before it', async () => {
    const ends: string[] = []
    const cancel = new AbortController()
    const hook = {
      name: 'watch',
      onEvent: (id: string, _: unknown, { type }: RunEvent) => {
        if (id === 'a' && type === 'step-start') cancel.abort()
        if (type === 'abort') ends.push(id)
      },
    }
    const agents = [
      boss([toAll], ['a', 'b']),
      ...['a', 'b'].map((id) => agent(id, [{ then: { fault: 'stall' } }])),
    ]
    const { result } = await outcomesOf(agents, { hooks: [hook] }, { signal: cancel.signal })
    expect(result.status).to.equal('aborted')
    expect(ends.at(-1)).to.equal('boss')
  })

  it('AL-17 keeps to the rules of its leader', async () => {
    let ran = 0
    const look = tool('look', {
      getToolSchemas: () => [schema('look')],
      executeTool: () => `${++ran}`,
    })
    const calling = agent('a', [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'look', input: { path: 'secret' } }] } },
      { then: { text: 'over' } },
    ])
    const { RuleBook } = await import('../../../src/agent/index.ts')
    const rules = await RuleBook.of({ forbidden_patterns: ['secret'] })
    const told = await toldOf(calling, { plugins: [look] }, { rules })
    expect(told).to.include({ status: 'done', text: 'over' })
    expect(ran).to.equal(0)
  })
})
