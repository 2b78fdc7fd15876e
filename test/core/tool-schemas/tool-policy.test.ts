import { expect } from 'chai'
import { policyOf } from '../../../src/core/tool-schemas/tool-policy.ts'

describe('the policy of a tool', () => {
  const own = { plugin: 'files', ownName: 'read', name: 'read_file' }
  const policy = (tool_policy: object, tool: object) =>
    policyOf({ tool_policy } as never, tool as never).decision

  it('is that for its plugin and own name, and otherwise that for the name the model uses', () => {
    expect(policy({ 'files.read': 'deny', read_file: 'ask' }, own)).to.equal('deny')
    expect(policy({ read_file: 'ask' }, own)).to.equal('ask')
    expect(policy({ read: 'deny', files: 'deny' }, own)).to.equal('allow')
  })

  it('is that for its name, for a tool of the caller', () => {
    expect(policy({ mine: 'deny' }, { name: 'mine' })).to.equal('deny')
    expect(policy({}, { name: 'mine' })).to.equal('allow')
    expect(policy({}, { name: 'toString' })).to.equal('allow')
  })
})
