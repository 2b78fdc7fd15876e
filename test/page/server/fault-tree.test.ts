import { expect } from 'chai'
import { faultTree } from '../../../src/page/site/server/fault-tree.ts'

describe('the faults of a spec as a tree', () => {
  it('are at the fields that their pointers name', () => {
    const faults = [
      { pointer: '/team/members/0', message: 'one' },
      { pointer: '/team', message: 'two' },
      { pointer: '/config/settings/a~1b~0', message: 'three' },
      { pointer: '/team', message: 'four' },
      { pointer: '', message: 'five' },
    ]
    expect(faultTree(faults)).to.deep.equal({
      __errors: ['five'],
      team: { __errors: ['two', 'four'], members: { 0: { __errors: ['one'] } } },
      config: { settings: { 'a/b~': { __errors: ['three'] } } },
    })
  })

  it('take no name for a prototype', () => {
    const tree = faultTree([{ pointer: '/__proto__/polluted', message: 'one' }])
    expect(Object.keys(tree)).to.deep.equal(['__proto__'])
    expect(Object({})).not.to.have.property('polluted')
  })
})
