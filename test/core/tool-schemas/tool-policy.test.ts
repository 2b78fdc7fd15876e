import { expect } from 'chai'
import {
  misspelledTools,
  policyOf,
  unusedPolicies,
} from '../../../src/core/tool-schemas/tool-policy.ts'

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

describe('a policy or a name for a tool that is not on offer', () => {
  const tools = [
    { plugin: 'files', ownName: 'remove_file', name: 'remove_file' },
    { ownName: 'mine', name: 'mine' },
  ]

  it('is told of where it is nearly that of one on offer', () => {
    const config = {
      tool_policy: { remove_fle: 'deny', 'file.remove_file': 'deny', mine: 'deny' },
      tool_names: { remove_file: 'rm', 'files.remove_file': 'rm', calculate: 'add' },
    } as const
    expect(misspelledTools(config, tools)).to.deep.equal([
      '"remove_fle" in "tool_policy" is no tool on offer, and does nothing. Did you mean "remove_file"?',
      '"file.remove_file" in "tool_policy" is no tool on offer, and does nothing. Did you mean "files.remove_file"?',
      '"remove_file" in "tool_names" is no tool on offer, and does nothing. Did you mean "files.remove_file"?',
    ])
    expect(misspelledTools({}, tools)).to.deep.equal([])
  })

  it('is told of in any case where all tools of a config are known', () => {
    const config = { tool_policy: { calculate: 'deny' }, tool_names: { calculate: 'add' } } as const
    expect(unusedPolicies(config, tools).map(({ pointer }) => pointer)).to.deep.equal([
      '/tool_policy/calculate',
      '/tool_names/calculate',
    ])
  })
})
