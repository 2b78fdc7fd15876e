import { expect } from 'chai'
import { throwSiteOf } from '../../src/core/throw-site.ts'

describe('throwSiteOf', () => {
  it('says where an error was thrown, and nothing where nobody knows', () => {
    expect(throwSiteOf(new Error('x'))).to.match(/^\/.*throw-site\.test\.ts:\d+$/)
    const hostile = Object.defineProperty(new Error('x'), 'stack', {
      get: () => {
        throw new Error('hidden')
      },
    })
    const ofNode = Object.assign(new Error('x'), { stack: 'Error: x\n    at node:internal/a:1:2' })
    for (const value of [hostile, ofNode, 'text', undefined]) {
      expect(throwSiteOf(value)).to.equal(undefined)
    }
  })
})
