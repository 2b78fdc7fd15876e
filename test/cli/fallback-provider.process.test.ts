import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { braidwork } from './command.ts'
import { eachServedFolder, type ServedFolder, TOKEN } from './serving.ts'

const tokens = [{ token: TOKEN, id: 'ada' }]
const settings = { openai: { api_key: 'sk-0123456789' } }
const named = { config: { provider: 'scripted' } }

/** Configs whose callers would get the answers of `scripted`, and the reason to refuse each. */
const REFUSED = {
  'settings of another provider': [{ settings }, 'settings of the provider "openai"'],
  tokens: [{ server: { tokens, store: 'memory' } }, '"server.tokens"'],
  'stored tokens': [{ server: { stored_tokens: true } }, '"server.stored_tokens"'],
  'an issuer': [
    { server: { oidc: { issuer: 'https://id.example.com', audience: 'chat' } } },
    '"server.oidc"',
  ],
  'a public name': [{ server: { hosts: ['chat.example.com'], tokens } }, '"server.tokens"'],
  'a published model without a provider': [
    { server: { tokens, models: { named, other: {} } } },
    '"server.tokens"',
  ],
  'an agent without a provider': [
    { server: { tokens, models: { named } }, agents: { helper: {} } },
    '"server.tokens"',
  ],
} as const

const TAKEN = {
  'no config': {},
  'only a model': { model: 'scripted-1' },
  'the provider by name': { provider: 'scripted', settings, server: { tokens } },
  'settings of scripted': { settings: { scripted: { delay_ms: 0 } } },
  'a provider for each model': { server: { tokens, models: { named } } },
} as const

describe('a config that names no provider', function () {
  this.timeout(60_000)
  let made: ServedFolder
  eachServedFolder((folder) => {
    made = folder
  })

  const check = (config: object) => {
    const file = join(made.folder, 'checked.json')
    writeFileSync(file, JSON.stringify(config))
    return braidwork(['config', 'check', '--config', file], { cwd: made.folder })
  }

  for (const [title, [config, reason]] of Object.entries(REFUSED)) {
    it(`is refused with ${title}`, async () => {
      const { status, err } = await check(config)
      expect(err).to.include('error PROVIDER_MISSING').and.include(reason)
      expect(status).to.equal(2)
    })
  }

  for (const [title, config] of Object.entries(TAKEN)) {
    it(`is taken with ${title}`, async () => {
      const { status, err } = await check(config)
      expect(err).to.not.include('PROVIDER_MISSING')
      expect(status).to.equal(0)
    })
  }

  it('is refused by a start, with the key that was probably meant', async () => {
    const serving = made.serve({ provder: 'openai', server: { tokens, store: 'memory' } })
    expect(await serving.ended()).to.equal(2)
    expect(serving.err)
      .to.include('PROVIDER_MISSING')
      .and.include('"provder" is no key of a config. Did you mean "provider"?')
  })

  it('is refused by a reload, which keeps the earlier one', async () => {
    const server = { tokens, store: 'memory' }
    const serving = made.serve({ provider: 'scripted', server })
    const address = await serving.address()
    writeFileSync(join(made.folder, 'served.json'), JSON.stringify({ provder: 'openai', server }))
    serving.child.kill('SIGHUP')
    while (!serving.err.includes('The config was not reloaded')) await wait(10)
    expect(serving.err).to.include('PROVIDER_MISSING')
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await fetch(`${address}/v1/models`, { headers })).status).to.equal(200)
  })
})
