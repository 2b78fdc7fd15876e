import { expect } from 'chai'
import { dispatchNote, dispatchTo } from '../../../src/agent/teams/dispatch.ts'
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
    const note = 'No member fits {"capability":"cooking"}, so "b" was asked. The members are: a; b.'
    expect(ends).to.deep.equal([{ agent: 'b', status: 'done', text: 'I try.', note }])
  })

  it('AL-19 says whom it asks where the member that the leader names is not there', async () => {
    const asked = (name: string) => calls('dispatch', { prompt: 'x', agent: name })
    const spec = boss([asked('editr'), asked('boss'), asked('editor')], ['editor', 'b'])
    const team = { leader: 'boss', members: ['editor', 'b'], default: 'b' }
    const { ends } = await outcomesOf([
      { ...spec, team },
      speaker('editor', 'Edited.'),
      agent('b', [{ then: { fault: 'failed' } }]),
    ])
    const [misspelled, own, right] = ends as { [name: string]: unknown }[]
    expect(misspelled).to.deep.include({
      agent: 'b',
      status: 'failed',
      note: 'There is no other member "editr". Did you mean "editor"? "b" was asked. The members are: editor; b.',
    })
    expect(own?.['note']).to.include('There is no other member "boss". "b" was asked.')
    expect(right).to.deep.equal({ agent: 'editor', status: 'done', text: 'Edited.' })
  })

  it('AL-19 suggests a member where the one that the leader names is not there, and no default', async () => {
    const { ends } = await outcomesOf([
      boss([calls('dispatch', { prompt: 'x', agent: 'editr' })], ['editor']),
      speaker('editor', 'Edited.'),
    ])
    expect(ends[0]).to.include('Did you mean "editor"?')
  })

  for (const [wanted, told] of [
    [{ agent: 'none', type: 'worker' }, 'no other member "none"'],
    [{ type: 'none', capability: 'verse' }, 'No member has the type "none", so "bard" was asked.'],
    [{ type: 'none' }, 'No member fits {"type":"none"}, so "plain" was asked.'],
    [{ type: 'worker', capability: 'none' }, undefined],
    [{ agent: 'poet', type: 'none' }, undefined],
    [{ capability: 'verse' }, undefined],
    [{}, undefined],
  ] as const) {
    it(`notes ${told ?? 'nothing'} for ${JSON.stringify(wanted)}`, () => {
      const note = dispatchNote(wanted, dispatchTo(wanted, MEMBERS, 'plain'), MEMBERS)
      if (told === undefined) expect(note).to.equal(undefined)
      else expect(note).to.include(told)
    })
  }

  it('AL-06 tells of a member that fails as a structured result', async () => {
    const { ends } = await outcomesOf([
      boss([calls('dispatch', { prompt: 'x', agent: 'a' })], ['a']),
      agent('a', [{ then: { fault: 'failed' } }]),
    ])
    expect(ends[0]).to.deep.include({ agent: 'a', status: 'failed', code: 'PROVIDER_FAILED' })
  })
})
