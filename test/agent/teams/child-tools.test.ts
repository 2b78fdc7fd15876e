import { expect } from 'chai'
import { teamToolNames } from '../../../src/agent/teams/child-tools.ts'

const ADA = { id: 'ada', canLead: true }
const BOB = { id: 'bob', canLead: true }

describe('the tools of an agent that has a team', () => {
  it('are a single one where a member leads the team', () => {
    expect(teamToolNames({ id: 'boss', members: [ADA, BOB] })).to.deep.equal(['team_run_boss'])
    expect(teamToolNames({ id: 'boss', leader: 'bob', members: [ADA, BOB] })).to.deep.equal([
      'team_run_boss',
    ])
  })

  it('are those of the leader where it leads the team itself', () => {
    expect(teamToolNames({ id: 'boss', leader: 'boss', members: [ADA, BOB] })).to.deep.equal([
      'team_broadcast_boss',
      'team_multicast_boss',
      'team_dispatch_boss',
      'team_read_boss',
      'team_write_boss',
    ])
  })

  it('ask nobody where nobody else is there', () => {
    const gone = { ...ADA, missing: 'it has no model' }
    expect(teamToolNames({ id: 'boss', leader: 'boss', members: [gone] })).to.deep.equal([
      'team_read_boss',
      'team_write_boss',
    ])
  })
})
