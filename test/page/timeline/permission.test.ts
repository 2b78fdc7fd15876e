import { expect } from 'chai'
import { permissionOf } from '../../../src/page/site/timeline/permission.ts'
import { spansOf } from '../../../src/page/site/timeline/spans.ts'

const START = { type: 'tool-execution-start', callId: 'c' }
const ASKED = { type: 'approval-required', callId: 'c', approvalId: 'a', name: 'write' }
const ANSWERED = { type: 'approval-resolved', callId: 'c', approvalId: 'a', approved: true }
const policy = (source: unknown) => ({ ...START, policy: { decision: 'allow', source } })

function permissionIn(
  ...events: readonly { readonly type: string; readonly [field: string]: unknown }[]
) {
  return permissionOf(spansOf(events.map((event, seq) => ({ ...event, seq, at: seq }))), 'c')
}

describe('the permission of a call', () => {
  it('is that of a person, if one was asked', () => {
    const ask = policy('/tool_policy/write')
    expect(permissionIn(ASKED, ANSWERED, ask)).to.deep.equal({ by: 'person' })
    expect(permissionIn(ASKED, { ...ANSWERED, approved: false })).to.deep.equal({ by: 'refusal' })
  })

  it('is that of its policy otherwise, and names where the policy is', () => {
    expect(permissionIn(policy('default'))).to.deep.equal({ by: 'default' })
    const source = '/tool_policy/write'
    expect(permissionIn(policy(source))).to.deep.equal({ by: 'config', source })
    const other = 'the delegates of the agent'
    expect(permissionIn(policy(other))).to.deep.equal({ by: 'other', source: other })
  })

  it('is not known of a call that waits, of another call, and where no policy was stored', () => {
    expect(permissionIn(ASKED)).to.equal(undefined)
    expect(permissionIn({ ...policy('default'), callId: 'd' })).to.equal(undefined)
    expect(permissionIn(START)).to.equal(undefined)
    expect(permissionIn(policy(7))).to.equal(undefined)
  })

  it('does not take an answer to a question for one', () => {
    const question = { ...ASKED, isQuestion: true }
    expect(permissionIn(question, ANSWERED, policy('default'))).to.deep.equal({ by: 'default' })
  })
})
