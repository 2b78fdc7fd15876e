import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { causesOf, isError } from '../../../providers/model-api/causes.ts'

describe('causesOf', () => {
  it('finds causes of another context, as the errors of Node are under jest', () => {
    const source = `new Error('fetch failed', {
      cause: new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]),
    })`
    const error: unknown = runInNewContext(source)
    if (!isError(error)) throw new Error('it is an error')
    expect(error).not.to.be.instanceof(Error)
    expect(causesOf(error).map(({ message }) => message)).to.deep.equal([
      'fetch failed',
      '',
      'refused',
    ])
  })
})

describe('isError', () => {
  it('is true for errors only', () => {
    const errors = [
      new TypeError('x'),
      new DOMException('x'),
      runInNewContext("new RangeError('x')"),
    ]
    expect(errors.map(isError)).to.deep.equal([true, true, true])
    expect([undefined, 'Error', { message: 'x' }].map(isError)).to.deep.equal([false, false, false])
  })
})
