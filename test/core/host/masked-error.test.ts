import { expect } from 'chai'
import { maskedError } from '../../../src/core/host/masked-error.ts'
import { HostError } from '../../../src/plugin/errors.ts'

describe('an error with a secret', () => {
  const mask = (text: string) => text.replaceAll('k-secret', '***')
  const masked = (cause: unknown) =>
    maskedError(new HostError('HOOK_FAILED', 'k-secret', { cause }), mask)

  it('keeps the name and the stack of its cause without the secret', () => {
    const stack = 'Traceback (most recent call last):\n  File "/p.py", line 7\nKeyError: k-secret'
    const cause = Object.assign(new Error('k-secret'), { name: 'KeyError', stack })
    const found = masked(cause)
    expect(found.message).to.equal('***')
    expect(found.cause).to.include({ name: 'KeyError', message: '***' })
    expect((found.cause as Error).stack).to.equal(stack.replace('k-secret', '***'))
  })

  it('keeps a cause without a secret as it is', () => {
    const cause = new Error('plain')
    expect(masked(cause).cause).to.equal(cause)
  })

  it('has the message alone of a cause that is no error', () => {
    expect(masked({ message: 'k-secret' }).cause)
      .to.be.an('error')
      .with.property('message')
      .that.not.includes('k-secret')
  })
})
