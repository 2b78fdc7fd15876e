import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import { HAS_ALL_CASES } from '../../helpers/cases.ts'
import { agent, endsIn, read, speaker, teamOf } from '../children/team.ts'
import { boss, caller, calls, outcomesOf } from './led-team.ts'

const writes = (key: string, value: string, version = 0) => calls('write', { key, value, version })
const toAll = calls('broadcast', { prompt: 'go on', fail_fast: true })

/** An agent that makes one call after another, and then says what the last one returned. */
function inSteps(id: string, made: readonly { name: string; input: object }[]): AgentSpec {
  // In large pieces: arguments of 10 MB have millions of tokens.
  const steps = made.map((call, at) => ({
    when: { step: at + 1 },
    then: { tool_calls: [call], chunks: 10_000 },
  }))
  return agent(id, [...steps, { then: { text: `{{result.${made.at(-1)?.name}}}` } }])
}

/** How large a value is that is refused. The default tier tries a smaller one. */
const MEGABYTES = HAS_ALL_CASES ? 10 : 3

const textsIn = (output: unknown) =>
  (output as { text: string }[]).map(({ text }) => JSON.parse(text))

describe('the shared context of a team', () => {
  it('AL-25 is read by all members, with the version and the writer of each value', async () => {
    const { ends } = await outcomesOf([
      boss([writes('plan', 'west'), toAll], ['a', 'b']),
      inSteps('a', [calls('read', {})]),
      inSteps('b', [calls('read', { key: 'plan' })]),
    ])
    const plan = { key: 'plan', version: 1, agent: 'boss', value: 'west' }
    expect(ends[0]).to.deep.equal({ key: 'plan', version: 1 })
    expect(textsIn(ends[1])).to.deep.equal([[plan], plan])
  })

  it('AL-25 says that a key has no value, with the version to write it', async () => {
    const { ends } = await outcomesOf([
      boss([calls('read', { key: 'none' })], ['a']),
      speaker('a', 'x'),
    ])
    expect(ends).to.deep.equal([{ key: 'none', version: 0 }])
  })

  it('AL-25 refuses a stale write of a member, and tells the present version', async () => {
    const { ends, events } = await outcomesOf([
      boss(
        [writes('plan', 'one'), toAll, writes('plan', 'three', 1), calls('read', { key: 'plan' })],
        ['a'],
      ),
      inSteps('a', [writes('plan', 'two', 1)]),
    ])
    expect(ends[2]).to.deep.include({ code: 'SHARED_STALE', version: 2 })
    const states = events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.state] : [],
    )
    expect(states).to.deep.equal(['succeeded', 'succeeded', 'failed', 'succeeded'])
    expect(ends[3]).to.deep.include({ version: 2, agent: 'a', value: 'two' })
  })

  it('AL-25 lets one of two members win that write at once', async () => {
    const { ends } = await outcomesOf([
      boss([calls('broadcast', { prompt: 'x' }), calls('read', { key: 'plan' })], ['a', 'b']),
      inSteps('a', [writes('plan', 'of a')]),
      inSteps('b', [writes('plan', 'of b')]),
    ])
    const told = textsIn(ends[0])
    const [winner] = ['a', 'b'].filter((_, at) => told[at].version === 1 && !told[at].code)
    expect(told.filter(({ code }) => code === 'SHARED_STALE')).to.have.length(1)
    expect(ends[1]).to.deep.include({ version: 1, agent: winner, value: `of ${winner}` })
  })

  it('AL-25 refuses a value that is too large, and says so to the member that writes it', async () => {
    const { ends } = await outcomesOf([
      boss([toAll, calls('read', {})], ['a']),
      inSteps('a', [writes('plan', 'x'.repeat(100_000))]),
    ])
    const [told] = textsIn(ends[0])
    expect(told).to.include({ code: 'SHARED_TOO_LARGE' })
    expect(ends[1]).to.deep.equal([])
  })

  it(`AL-25 refuses ${MEGABYTES} MB of two members at once, and the leader goes on`, async () => {
    const large = inSteps('a', [writes('plan', 'x'.repeat(MEGABYTES * 1_000_000))])
    const { ends, result } = await outcomesOf([
      boss([calls('broadcast', { prompt: 'x' }), calls('read', {})], ['a', 'b']),
      large,
      { ...large, id: 'b' },
    ])
    const told = ends[0] as object[]
    expect(told).to.have.length(2)
    // The members themselves cannot go on after such a call: it does not fit into their context windows.
    for (const one of told) expect(one).to.include({ status: 'failed', code: 'CONTEXT_OVERFLOW' })
    expect(ends[1]).to.deep.equal([])
    expect(result.status).to.equal('done')
  })

  it('AL-25 belongs to one run of the team', async () => {
    const agents = [boss([writes('plan', 'x')], ['a']), speaker('a', 'x')]
    await using team = await teamOf({ agents })
    for (const _ of [1, 2]) {
      const events = await read(await team.runtime.run('boss', { messages: 'go' }))
      expect(endsIn(events)).to.deep.equal([['team_write_boss', { key: 'plan', version: 1 }]])
    }
  })

  it('AL-25 is there for subagents of a member too', async () => {
    const spawn = { name: 'agent_spawn', input: { tasks: [{ prompt: 'read' }] } }
    const read = { when: { equals: 'read', step: 1 }, then: { tool_calls: [calls('read', {})] } }
    const said = { when: { equals: 'read', step: 2 }, then: { text: '{{result.team_read_boss}}' } }
    const script = [
      read,
      said,
      { when: { step: 1 }, then: { tool_calls: [spawn] } },
      { then: { text: '{{result.agent_spawn}}' } },
    ]
    const { ends } = await outcomesOf([
      boss([writes('plan', 'west'), toAll], ['a']),
      agent('a', script, { subagents: true }),
    ])
    const [[{ text }]] = textsIn(ends[1])
    expect(JSON.parse(text)).to.deep.equal([
      { key: 'plan', version: 1, agent: 'boss', value: 'west' },
    ])
  })

  it('AL-25 is not offered to an agent outside of a team', async () => {
    const agents = [caller('boss', [calls('read', {})], { delegates: ['a'] }), speaker('a', 'x')]
    const { ends } = await outcomesOf(agents)
    expect(ends[0]).to.match(/team_read_boss/)
  })
})
