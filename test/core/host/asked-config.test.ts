import { expect } from 'chai'
import { type AskOptions, createHost } from '../../../src/core/index.ts'

import type { Config } from '../../../src/plugin/config.ts'
import { limitsOf } from '../../../src/plugin/internal.ts'
import { textEvents } from '../../helpers/hosts.ts'

const WITH_RETRIES = { properties: { max_retries: { type: 'integer' }, tone: { type: 'string' } } }
const WITHOUT = { properties: { tone: { type: 'string' } } }

/** The config that the provider gets for a request. */
async function askedWith(
  options: AskOptions,
  configSchema: object,
  limits: Config['limits'] = {},
): Promise<Config> {
  let seen: Config = {}
  const provider = {
    kind: 'provider',
    name: 'p',
    configSchema,
    stream: (_native: unknown, _state: unknown, { config }: { readonly config: Config }) => {
      seen = config
      return textEvents('x')
    },
  }
  const settings = { p: { tone: 'dry' } }
  await using host = await createHost({ plugins: [provider], config: { settings } })
  using opened = await host.open({ limits: { call: 9, ...limits } })
  await opened.ask('go', options).result
  return seen
}

describe('the config of one request', () => {
  it('AW-21 has no retries of the provider where the caller repeats requests', async () => {
    const { settings } = await askedWith({ isRepeated: true }, WITH_RETRIES)
    expect(settings).to.deep.equal({ p: { tone: 'dry', max_retries: 0 } })
    expect((await askedWith({}, WITH_RETRIES)).settings).to.deep.equal({ p: { tone: 'dry' } })
  })

  it('AW-21 leaves alone a provider that makes no retries', async () => {
    const { settings } = await askedWith({ isRepeated: true }, WITHOUT)
    expect(settings).to.deep.equal({ p: { tone: 'dry' } })
  })

  it('has the silence that the caller allows, and its other limits', async () => {
    const config = await askedWith({ streamIdle: 7 }, WITHOUT)
    expect(limitsOf(config)).to.include({ stream_idle: 7, call: 9 })
  })

  it('has the wait that the caller allows a model API to ask for, unless the config sets one', async () => {
    const asked = await askedWith({ retryAfter: 4, streamIdle: 7 }, WITHOUT)
    expect(limitsOf(asked)).to.include({ retry_after: 4, stream_idle: 7, call: 9 })
    const set = await askedWith({ retryAfter: 4 }, WITHOUT, { retry_after: 30 })
    expect(limitsOf(set)).to.include({ retry_after: 30 })
  })
})
