import { expect } from 'chai'
import fc from 'fast-check'
import {
  asSentence,
  HostError,
  messageOf,
  toHostError,
  withMessage,
} from '../../src/plugin/errors.ts'

describe('HostError', () => {
  it('carries its code, its message, its facts and its cause', () => {
    const cause = new Error('socket closed')
    const error = new HostError('OVERLOADED', 'The API is busy.', { status: 529, cause })
    expect(error).to.be.an.instanceOf(Error)
    expect(error).to.include({
      code: 'OVERLOADED',
      message: 'The API is busy.',
      status: 529,
      cause,
    })
  })

  it('has no member for a fact that is not known', () => {
    const error = new HostError('TIMEOUT', 'Too slow.', { plugin: undefined, hook: 'init' })
    expect(Object.keys(error)).to.include('hook').and.not.include('plugin')
    expect('cause' in error).to.equal(false)
  })

  it('cannot be changed after it was made', () => {
    const error = new HostError('TIMEOUT', 'Too slow.', { plugin: 'slow' })
    expect(() => Object.assign(error, { plugin: 'other' })).to.throw(TypeError)
  })

  it('becomes JSON without its cause and its stack', () => {
    const facts = {
      plugin: 'a',
      hook: 'init',
      phase: 'prepare',
      pointer: '/a',
      retryable: true,
    } as const
    const error = new HostError('HOOK_FAILED', 'No.', { ...facts, cause: new Error('why') })
    expect(JSON.parse(JSON.stringify(error))).to.deep.equal({
      code: 'HOOK_FAILED',
      message: 'No.',
      ...facts,
    })
  })

  it('is recognized by name and code, so that one of another copy of the package counts', () => {
    const ofAnotherCopy = Object.assign(new Error('x'), { name: 'HostError', code: 'TIMEOUT' })
    expect(HostError.is(ofAnotherCopy)).to.equal(true)
    for (const value of [
      new Error('x'),
      { name: 'HostError', code: 'TIMEOUT' },
      null,
      'HostError',
    ]) {
      expect(HostError.is(value), String(value)).to.equal(false)
    }
  })
})

describe('toHostError', () => {
  it('keeps the code and the facts that a thrown error has of its own', () => {
    const thrown = Object.assign(new Error('slow down'), {
      code: 'RATE_LIMITED',
      status: 429,
      retryable: true,
      retryAfter: 3,
      pointer: '/model',
    })
    const error = toHostError(thrown, { plugin: 'p', hook: 'call', phase: 'finals' })
    expect(error.toJSON()).to.deep.equal({
      code: 'RATE_LIMITED',
      message: 'slow down',
      status: 429,
      retryable: true,
      retryAfter: 3,
      pointer: '/model',
      plugin: 'p',
      hook: 'call',
      phase: 'finals',
    })
    expect(error.cause).to.equal(thrown)
  })

  it('gives HOOK_FAILED to what has no code, or one that is none', () => {
    for (const code of [undefined, 7, '', 'not a code', 'rate_limited']) {
      expect(toHostError(Object.assign(new Error('x'), { code })).code).to.equal('HOOK_FAILED')
    }
  })

  it('leaves out facts of the wrong type', () => {
    const thrown = Object.assign(new Error('x'), { status: '429', retryable: 'yes', plugin: 5 })
    expect(toHostError(thrown).toJSON()).to.deep.equal({ code: 'HOOK_FAILED', message: 'x' })
  })

  it('believes the host, and not the error, about where it arose', () => {
    const inner = new HostError('TIMEOUT', 'Too slow.', { plugin: 'inner', status: 504 })
    const error = toHostError(inner, { plugin: 'outer', hook: 'init' })
    expect(error).to.include({ code: 'TIMEOUT', plugin: 'outer', hook: 'init', status: 504 })
    expect(error.cause).to.equal(inner)
    expect(toHostError(error)).to.equal(error)
  })

  it('takes what throws again when it is looked at', () => {
    const hostile = new Proxy(
      {},
      {
        has: () => {
          throw new Error('again')
        },
      },
    )
    expect(toHostError(hostile).message).to.equal('a plugin threw an error that cannot be read')
  })

  it('makes a HostError with a message of whatever is thrown', () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        const error = toHostError(thrown)
        expect(HostError.is(error)).to.equal(true)
        expect(error.message).to.be.a('string').and.not.equal('')
        expect(messageOf(thrown)).to.be.a('string').and.not.equal('')
      }),
    )
  })

  it('has a sentence for an empty string, an error without a message and one that is no text', () => {
    const numbered = Object.assign(new Error('x'), { message: 5 })
    for (const thrown of [
      '',
      new Error(''),
      Object.assign(new Error(''), { name: '' }),
      numbered,
    ]) {
      expect(messageOf(thrown)).to.be.a('string').and.not.equal('')
    }
  })
})

describe('messageOf', () => {
  const failureOf = (act: Promise<unknown>): Promise<unknown> =>
    act.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('says what to do about a module that is not there, incomplete or not valid', async () => {
    for (const code of ['const a = {', "import { none } from 'node:fs'"]) {
      const error = await failureOf(import(`data:text/javascript,${encodeURIComponent(code)}`))
      expect(messageOf(error), code).to.match(
        /\. A module is missing, .* Install its package again/,
      )
    }
    const missing = await failureOf(import(new URL('./gone.js', import.meta.url).href))
    expect(messageOf(missing)).to.match(/^Cannot find module .* Install its package again/)
  })

  it('leaves the errors of a module’s own code as they are', async () => {
    const code = 'JSON.parse("{")'
    const error = await failureOf(import(`data:text/javascript,${code}`))
    expect(messageOf(error)).to.equal((error as Error).message)
  })

  it('shows the message of an object that is no error', () => {
    expect(messageOf({ code: 'RATE_LIMITED', message: 'slow down' })).to.equal('slow down')
    expect(messageOf({ message: { text: 'slow' } })).to.equal('{"message":{"text":"slow"}}')
    expect(messageOf({ code: 'ODD', message: '' })).to.equal('{"code":"ODD","message":""}')
    expect(messageOf('disk full')).to.equal('disk full')
  })

  it('gives a sentence for an error that throws when it is read', () => {
    const error = Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('hidden')
      },
    })
    expect(messageOf(error)).to.equal('a value that cannot be shown was thrown')
  })
})

describe('withMessage', () => {
  it('changes the message and nothing else', () => {
    const cause = new Error('why')
    const error = new HostError('TIMEOUT', 'key sk-1', { plugin: 'p', status: 408, cause })
    const masked = withMessage(error, 'key ***')
    expect(masked.toJSON()).to.deep.equal({ ...error.toJSON(), message: 'key ***' })
    expect(masked.cause).to.equal(cause)
    expect(withMessage(error, 'key sk-1')).to.equal(error)
  })
})

describe('asSentence', () => {
  it('gives a text its end, once', () => {
    const texts = ['it is', 'it is.', 'Is it?', 'No!'].map(asSentence)
    expect(texts).to.deep.equal(['it is.', 'it is.', 'Is it?', 'No!'])
  })
})
