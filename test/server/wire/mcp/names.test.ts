import { expect } from 'chai'
import { toolNames } from '../../../../src/server/wire/mcp/index.ts'

describe('names of tools by MCP', () => {
  it('are the ids, as far as model APIs take them', () => {
    const named = toolNames(['helper', 'team/helper', 'gpt-5.1', 'a'.repeat(80)])
    expect([...named]).to.deep.equal([
      ['helper', 'helper'],
      ['team_helper', 'team/helper'],
      ['gpt-5_1', 'gpt-5.1'],
      ['a'.repeat(64), 'a'.repeat(80)],
    ])
  })

  it('never stand for two ids, and an id that is a name keeps it', () => {
    const ids = ['a b', 'a.b', 'a_b', `${'c'.repeat(70)}1`, `${'c'.repeat(70)}2`]
    const named = toolNames(ids)
    expect([...named.values()]).to.deep.equal(ids)
    expect(named.get('a_b')).to.equal('a_b')
    for (const name of named.keys()) expect(name).to.match(/^[\w-]{1,64}$/)
  })
})
