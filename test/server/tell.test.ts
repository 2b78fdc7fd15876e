import { expect } from 'chai'
import { HostError } from '../../src/plugin/errors.ts'
import type { Log } from '../../src/plugin/index.ts'
import { type TellOptions, tell } from '../../src/server/tell.ts'

describe('what the log has of a failure', () => {
  function told(error: unknown, options?: TellOptions): Parameters<Log>[0] | undefined {
    const lines: Parameters<Log>[0][] = []
    tell((line) => void lines.push(line), error, options)
    return lines[0]
  }

  const refused = new HostError(
    'PROVIDER_UNAUTHORIZED',
    'The server answered with status 401: wrong key while asked "xyzzy".',
    { plugin: 'openai-compatible', hook: 'stream', status: 401 },
  )

  it('is the place of a wrong setting too, and no place in a request', () => {
    const facts = { plugin: 'openai', pointer: '/settings/openai/base_uri' }
    expect(told(new HostError('SETTINGS_INVALID', 'unknown', facts))).to.include(facts)
    const checked = told(new HostError('SETTINGS_INVALID', 'it has no scheme', facts))
    expect(checked?.message).to.equal('it has no scheme')
    const thrown = { ...facts, hook: 'stream' }
    expect(told(new HostError('SETTINGS_INVALID', 'xyzzy', thrown))?.message).to.not.include(
      'xyzzy',
    )
    const other = { plugin: 'openai', pointer: '/messages/0/xyzzy' }
    expect(told(new HostError('HOOK_FAILED', 'unknown', other))).to.not.have.property('pointer')
  })

  it('says that a request was not sent where a provider refuses a part of it, and where', () => {
    const facts = { plugin: 'openai', hook: 'toNative', pointer: '/messages/0/parts/1' }
    const log = told(new HostError('INVALID_REQUEST', 'The file (xyzzy) is too large.', facts))
    expect(log).to.include({
      ...facts,
      message: 'Plugin "openai": the model does not take a part of the request, which was not sent',
    })
    const asked = new HostError('INVALID_REQUEST', 'xyzzy', { ...facts, hook: 'stream' })
    expect(told(asked)?.message).to.include('the API refused the request')
  })

  it('is the place of a wrong value of a config, as far as the configs of the operator have it', () => {
    const pointer = '/response_format/schema/a~1b/type'
    const wrong = (plugin?: string) =>
      new HostError('CONFIG_INVALID', 'wrong', { pointer, ...(plugin ? { plugin } : {}) })
    const own = { response_format: { schema: { 'a/b': { type: 'objct' } } } }
    const other = { response_format: { schema: {} } }
    const pointerOf = (...configs: readonly unknown[]) => told(wrong('p'), { configs })?.['pointer']
    expect(pointerOf(undefined, own)).to.equal(pointer)
    expect(pointerOf(other)).to.equal('/response_format/schema')
    expect(pointerOf({})).to.equal('/response_format')
    expect(told(wrong())).to.include({ pointer: '/response_format', message: 'wrong' })
    expect(told(wrong('p'), { logsContent: true })).to.include({ pointer })
    const inAgent = { plugin: 'p', pointer: '/config/settings/p/key' }
    expect(told(new HostError('SETTINGS_INVALID', 'unknown', inAgent))).to.include(inAgent)
  })

  it('is what it was and where, without the words of an API or a plugin, which may quote the question', () => {
    expect(told(refused, { runId: 'r1' })).to.deep.equal({
      level: 'error',
      code: 'PROVIDER_UNAUTHORIZED',
      message: 'Plugin "openai-compatible": the API key is missing or was refused',
      plugin: 'openai-compatible',
      hook: 'stream',
      status: 401,
      runId: 'r1',
    })
    const cause = new RangeError('no room for xyzzy')
    const thrown = new HostError('HOOK_FAILED', 'it threw: no room for xyzzy', {
      plugin: 'p',
      cause,
    })
    expect(told(thrown)).to.include({ cause: 'RangeError', plugin: 'p' })
    expect(told(thrown)?.['at']).to.match(/tell\.test\.ts:\d+$/)
    expect(JSON.stringify(told(thrown))).to.not.include('xyzzy')
    expect(told(new HostError('OF_ITS_OWN', 'xyzzy', { plugin: 'p' }))?.message).to.equal(
      'Plugin "p": it failed with a code of its own',
    )
  })

  it('is what this side says of a remote agent, without the words of the agent', () => {
    const code = 'REMOTE_AGENT_FAILED'
    const failed = new HostError(code, 'The remote agent failed: no room: xyzzy')
    expect(told(failed)?.message).to.equal('The remote agent failed.')
    expect(told(failed, { logsContent: true })?.message).to.equal(failed.message)
    const away = new HostError(code, '"far.test:8080" sent a card without a name.')
    expect(told(away)?.message).to.equal(away.message)
  })

  it('has those words, and the stack, where content may be logged', () => {
    expect(told(refused, { logsContent: true })?.message).to.equal(refused.message)
    const cause = new RangeError('no room for xyzzy')
    const thrown = new HostError('HOOK_FAILED', 'it threw', { plugin: 'p', hook: 'init', cause })
    expect(told(thrown, { logsContent: true })).to.include({
      plugin: 'p',
      hook: 'init',
      cause: 'RangeError',
      stack: cause.stack,
    })
  })

  it('is a warning where a server refuses requests because it stops', () => {
    expect(told(new HostError('HOST_CLOSED', 'The server is stopping.'))?.level).to.equal('warn')
    expect(told(new HostError('STORAGE_FAILED', 'The storage failed.'))?.level).to.equal('error')
  })

  it('has why a connection failed, by the code of the system, and no other code', () => {
    const reasonFor = (code: string) => {
      const root = Object.assign(new Error('xyzzy'), { code })
      const thrown = Object.assign(new Error('no answer'), { code: 'PROVIDER_FAILED', cause: root })
      const facts = { plugin: 'p', cause: thrown }
      return told(new HostError('PROVIDER_FAILED', 'no answer', facts))?.['reason']
    }
    for (const code of [
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'CERT_HAS_EXPIRED',
      'PROXY_STATUS_407',
    ]) {
      expect(reasonFor(code)).to.equal(code)
    }
    for (const code of ['xyzzy', 'INVALID_REQUEST', 'E'])
      expect(reasonFor(code)).to.equal(undefined)
  })

  it('has the class of an exception of Python and its place in the plugin', () => {
    const stack =
      'Traceback (most recent call last):\n  File "/plugins/p.py", line 7, in init\nKeyError: xyzzy'
    const cause = Object.assign(new Error('KeyError: xyzzy'), { name: 'KeyError', stack })
    const thrown = new HostError('HOOK_FAILED', 'it threw', { plugin: 'p', cause })
    expect(told(thrown)).to.include({ cause: 'KeyError', at: '/plugins/p.py:7' })
    expect(JSON.stringify(told(thrown))).to.not.include('xyzzy')
  })

  it('has what the host itself says, and nothing of what clients are told in full', () => {
    const full = new HostError('STORAGE_FAILED', 'The storage failed: the disk is full.')
    expect(told(full)?.message).to.equal(full.message)
    expect(told(new HostError('REQUEST_INVALID', 'no'))).to.equal(undefined)
  })
})
