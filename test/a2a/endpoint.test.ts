import { expect } from 'chai'
import { readEndpoint } from '../../src/a2a/endpoint.ts'
import type { AgentEndpoint } from '../../src/agent/index.ts'
import { HostError } from '../../src/plugin/errors.ts'

const read = (more: Partial<AgentEndpoint> = {}) =>
  readEndpoint({ backend: 'a2a', base_url: 'https://far.test/a', ...more })

function faultOf(more: Partial<AgentEndpoint>): string | undefined {
  try {
    read(more)
  } catch (error) {
    if (!HostError.is(error)) throw error
    expect(error.code).to.equal('INVALID_REMOTE_ENDPOINT_CONFIG')
    return error.pointer
  }
  return undefined
}

describe('an endpoint of A2A', () => {
  const auth = { type: 'bearer', token: 't' } as const

  it('has five minutes, and only public addresses, unless it says otherwise', () => {
    const { base, ...rest } = read()
    expect(base.href).to.equal('https://far.test/a')
    expect(rest).to.deep.equal({ timeout: 300_000, allowPrivate: false })
    const options = { binding: 'HTTP+JSON', allow_private: true }
    const { base: _, ...given } = read({ auth, target: 'x', timeout_ms: 5, options })
    expect(given).to.deep.equal({
      timeout: 5,
      allowPrivate: true,
      token: 't',
      target: 'x',
      binding: 'HTTP+JSON',
    })
  })

  it('AW-03 is refused with what this backend does not know', () => {
    expect(faultOf({ options: { bind: 'x' } })).to.equal('/options/bind')
    expect(faultOf({ options: { binding: 'GRPC' } })).to.equal('/options/binding')
    expect(faultOf({ options: { allow_private: 'yes' } })).to.equal('/options/allow_private')
  })

  it('is refused where its host is seen to be private, before anything is asked', () => {
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '[::1]',
      '10.1.2.3',
      'localhost',
      'printer',
      'db.internal.',
    ])
      expect(faultOf({ base_url: `https://${host}/a` }), host).to.equal('/base_url')
    const options = { allow_private: true }
    expect(faultOf({ base_url: 'http://127.0.0.1:8', options })).to.equal(undefined)
    for (const host of ['8.8.8.8', '[2606:4700::1111]', 'far.test'])
      expect(faultOf({ base_url: `https://${host}/a` }), host).to.equal(undefined)
  })

  it('is refused where its token would be sent in plain text over the internet', () => {
    expect(faultOf({ base_url: 'http://far.test', auth })).to.equal('/base_url')
    expect(
      faultOf({ base_url: 'http://far.test', auth, options: { allow_private: true } }),
    ).to.equal(undefined)
  })
})
