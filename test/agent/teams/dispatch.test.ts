import { expect } from 'chai'
import { dispatchTo } from '../../../src/agent/teams/dispatch.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { agent, speaker } from '../children/team.ts'
import { boss, calls, outcomesOf } from './led-team.ts'

const MEMBERS = [
  { id: 'all', type: 'worker', capabilities: ['prose', 'verse', 'sums'] },
  { id: 'poet', type: 'writer', capabilities: ['verse'] },
  { id: 'bard', type: 'writer', capabilities: ['verse'] },
  { id: 'novelist', type: 'writer', capabilities: ['prose', 'verse'] },
  { id: 'plain' },
]

describe('dispatch to a member of a team', () => {
  for (const [wanted, found] of [
    [{ agent: 'all', type: 'writer', capability: 'verse' }, 'all'],
    [{ agent: 'plain' }, 'plain'],
    [{ agent: 'none', type: 'worker', capability: 'verse' }, 'all'],
    [{ type: 'writer', capability: 'sums' }, 'bard'],
    [{ type: 'none', capability: 'sums' }, 'all'],
    [{ capability: 'verse' }, 'bard'],
    [{ capability: 'prose' }, 'novelist'],
    [{ capability: 'none' }, 'plain'],
    [{}, 'plain'],
  ] as const) {
    it(`AL-19 finds "${found}" for ${JSON.stringify(wanted)}`, () => {
      expect(dispatchTo(wanted, MEMBERS, 'plain').id).to.equal(found)
      expect(dispatchTo(wanted, MEMBERS.toReversed(), 'plain').id).to.equal(found)
    })
  }

  it('AL-19 finds nobody where nobody fits and there is no default', () => {
    for (const byDefault of [undefined, 'gone']) {
      const find = () => dispatchTo({ capability: 'none' }, MEMBERS, byDefault)
      expect(find).to.throw(HostError, /No member of the team fits \{"capability":"none"\}/)
      expect(find).to.throw(/poet \(of the type "writer", can do verse\); .*; plain\.$/)
    }
  })

  it('AL-19 is a tool of the leader, which says who did the work', async () => {
    const members = [
      { agent: 'a', capabilities: ['sums'] },
      { agent: 'b', type: 'writer' },
    ]
    const { ends } = await outcomesOf([
      boss(
        [
          calls('dispatch', { prompt: '1 + 1', capability: 'sums' }),
          calls('dispatch', { prompt: 'a line', type: 'writer' }),
          calls('dispatch', { prompt: 'x', capability: 'cooking' }),
        ],
        members,
      ),
      speaker('a', '2'),
      speaker('b', 'A line.'),
    ])
    expect(ends).to.have.deep.members([
      { agent: 'a', status: 'done', text: '2' },
      { agent: 'b', status: 'done', text: 'A line.' },
      'No member of the team fits {"capability":"cooking"}. The members are: a (can do sums); b (of the type "writer").',
    ])
  })

  it('AL-19 asks the default of the team for what is nobody’s work', async () => {
    const spec = boss([calls('dispatch', { prompt: 'x', capability: 'cooking' })], ['a', 'b'])
    const team = { leader: 'boss', members: ['a', 'b'], default: 'b' }
    const { ends } = await outcomesOf([
      { ...spec, team },
      speaker('a', 'x'),
      speaker('b', 'I try.'),
    ])
    expect(ends).to.deep.equal([{ agent: 'b', status: 'done', text: 'I try.' }])
  })

  it('AL-06 tells of a member that fails as a structured result', async () => {
    const { ends } = await outcomesOf([
      boss([calls('dispatch', { prompt: 'x', agent: 'a' })], ['a']),
      agent('a', [{ then: { fault: 'failed' } }]),
    ])
    expect(ends[0]).to.deep.include({ agent: 'a', status: 'failed', code: 'PROVIDER_FAILED' })
  })
})
