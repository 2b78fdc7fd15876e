import { expect } from 'chai'
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import compatible from '../../../providers/openai-compatible/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import type { SettingsDocument } from '../../../src/core/index.ts'
import { SERVED } from '../clients/scripts.ts'
import { Served } from './served.ts'

const PROVIDERS = [compatible, openai, anthropic]
const KEYS = ['base_url', 'proxy', 'headers'] as const

describe('settings of callers that decide where keys are sent', () => {
  let served: Served
  beforeEach(async () => {
    const { settings, provider } = SERVED
    const own = { ...settings, 'openai-compatible': { base_url: 'http://127.0.0.1:1/v1' } }
    served = await Served.start(
      { settable: PROVIDERS.map(({ name }) => `/settings/${name}`) },
      { config: { provider, settings: own }, plugins: [scripted, ...PROVIDERS] },
    )
  })
  afterEach(() => served.close())

  const put = (body: object) => served.ask('/api/settings', { method: 'PUT', body, as: 'bob' })

  it('are refused, also of a provider that is not in use, and whatever the list says', async () => {
    for (const { name } of PROVIDERS) {
      for (const key of KEYS) {
        const value = key === 'headers' ? { a: 'b' } : 'http://127.0.0.1:2'
        const { status, json } = await put({ data: { settings: { [name]: { [key]: value } } } })
        const { pointer, message } = json['error'] as unknown as {
          pointer: string
          message: string
        }
        expect(
          [status, pointer.startsWith(`/settings/${name}/${key}`)],
          `${name} ${key}`,
        ).to.deep.equal([400, true])
        expect(message).to.include('can be changed only on the server')
      }
    }
    const { json } = await put({ data: {}, unset: ['/settings/openai-compatible/base_url'] })
    expect(json['error']).to.include({
      pointer: '/settings/openai-compatible/base_url',
      message:
        '"/settings/openai-compatible/base_url" decides where secrets are sent and can be changed only on the server.',
    })
    const fine = { data: { settings: { 'openai-compatible': { max_retries: 1 } } } }
    expect((await put(fine)).status).to.equal(200)
  })

  it('have read-only fields', async () => {
    await served.close()
    const settings = { 'openai-compatible': { base_url: 'http://127.0.0.1:1/v1' } }
    served = await Served.start(
      { settable: ['/settings/openai-compatible'] },
      { config: { provider: 'openai-compatible', model: 'm', settings }, plugins: PROVIDERS },
    )
    const { json } = await served.ask('/api/settings', { as: 'bob' })
    const { uischema } = json as unknown as SettingsDocument
    const all = uischema.elements.flatMap(({ elements }) => elements)
    const locked = all.flatMap((one) =>
      one.type === 'Control' && one.options?.readonly ? one.scope.split('/').at(-1) : [],
    )
    expect(locked)
      .to.include.members(['api_key', 'base_url', 'proxy'])
      .and.not.include('max_retries')
  })
})
