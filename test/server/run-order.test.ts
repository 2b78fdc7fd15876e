import { expect } from 'chai'
import type { StoredRun } from '../../src/agent/index.ts'
import { factsOf, orderOf } from '../../src/server/run-order.ts'

const run = (order: object): StoredRun => ({
  id: 'r',
  owner: 'ada',
  status: 'suspended',
  order: { protocol: 'ag-ui', messageId: 'm', createdAt: 1, settings: {}, tools: [], ...order },
  startedAt: 1,
  nextSeq: 0,
  legSeq: 0,
})

describe('the order of a run', () => {
  it('names its agent', () => {
    expect(orderOf(run({ agent: 'quick' })).agent).to.equal('quick')
    expect(factsOf(run({ agent: 'quick' })).agent).to.equal('quick')
  })

  it('names its agent where an earlier version stored it, as a model', () => {
    const order = orderOf(run({ model: 'quick' }))
    expect(order.agent).to.equal('quick')
    expect(order).to.not.have.property('model')
  })
})
