import { runInNewContext } from 'node:vm'
import { codeOf, isError } from '@braidwork/core/internal'
import { expect } from 'chai'

describe('codeOf', () => {
  it('reads the code of an error of another context, as the errors of Node are under jest', () => {
    const foreign: unknown = runInNewContext("Object.assign(new Error('x'), { code: 'ENOENT' })")
    expect(foreign).not.to.be.instanceof(Error)
    expect(codeOf(foreign)).to.equal('ENOENT')
  })

  it('is empty for a value without a code, or with one that cannot be read', () => {
    const hostile = {
      get code() {
        throw new Error('no')
      },
    }
    const values = [undefined, null, 'ENOENT', new Error('x'), { code: 5 }, hostile]
    expect(values.map(codeOf)).to.deep.equal(values.map(() => ''))
  })
})

describe('isError', () => {
  it('is true for errors of any context, and for nothing else', () => {
    const errors = [new TypeError('x'), new DOMException('x'), runInNewContext("new Error('x')")]
    expect(errors.map(isError)).to.deep.equal([true, true, true])
    expect([undefined, 'Error', { message: 'x' }].map(isError)).to.deep.equal([false, false, false])
  })
})
