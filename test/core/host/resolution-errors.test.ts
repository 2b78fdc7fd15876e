import { expect } from 'chai'
import { createHost, type Host, HostError } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'

const LOOM = {
  kind: 'provider',
  name: 'loom',
  configSchema: {
    type: 'object',
    properties: { tools: { type: 'array', items: { type: 'string' } } },
    additionalProperties: false,
  },
  getTags({ settings }: { settings: { loom: { tools: string[] } } }) {
    if (settings.loom.tools.includes('none')) throw new Error('There is no tool "none".')
    return ['text', ...settings.loom.tools]
  },
  async *stream() {
    yield 'Hello'
  },
}

describe('a provider that throws during resolution', () => {
  let host: Host
  before(async () => {
    host = await createHost({ plugins: [LOOM] })
  })
  after(() => host.close())

  const withTools = (tools: unknown) => ({ settings: { loom: { tools } } })

  it('is not the fault where its settings are invalid', async () => {
    const asking = [
      () => host.resolve(withTools({ a: 1 })),
      () => host.explain(withTools({ a: 1 })),
      () => host.uiSchema(withTools({ a: 1 })),
      () => host.send(withTools({ a: 1 }), 'Hi').then(({ error }) => Promise.reject(error)),
    ]
    for (const ask of asking) {
      const error = await errorOf(ask())
      expect(error).to.include({
        code: 'SETTINGS_INVALID',
        provider: 'loom',
        pointer: '/settings/loom/tools',
      })
      expect(error.message).to.equal(
        'Settings of provider "loom" at /settings/loom/tools: "tools" must be of type array',
      )
      expect(HostError.is(error.cause) && error.cause.code).to.equal('RESOLUTION_FAILED')
    }
  })

  it('is the fault where its settings are valid', async () => {
    const error = await errorOf(host.resolve(withTools(['none'])))
    expect(error).to.include({ code: 'RESOLUTION_FAILED', provider: 'loom' })
    expect(error.message).to.include('There is no tool "none".')
  })
})

describe('a plugin beside the provider that throws during resolution', () => {
  const TEA = {
    kind: 'feature',
    name: 'tea',
    configSchema: LOOM.configSchema,
    isEnabled: ({ settings }: { settings: { tea: { tools: string[] } } }) => {
      if (settings.tea.tools.includes('none')) throw new Error('There is no tool "none".')
      return true
    },
  }
  let host: Host
  before(async () => {
    const loom = { ...LOOM, getTags: () => ['text'] }
    host = await createHost({ plugins: [loom, TEA] })
  })
  after(() => host.close())

  const diagnosticFor = async (tools: unknown) => {
    const { diagnostics, enabled } = await host.resolve({ settings: { tea: { tools } } })
    expect(enabled.features).to.deep.equal([])
    return diagnostics
  }

  it('is off for its invalid settings, and they are named', async () => {
    expect(await diagnosticFor({ a: 1 })).to.deep.equal([
      {
        code: 'PLUGIN_THREW',
        level: 'error',
        message:
          'Settings of feature "tea" at /settings/tea/tools: "tools" must be of type array. The plugin is off for this config.',
        plugin: 'tea',
        pointer: '/settings/tea/tools',
      },
    ])
  })

  it('is off for the error itself where its settings are valid', async () => {
    const [diagnostic] = await diagnosticFor(['none'])
    expect(diagnostic?.message).to.include('There is no tool "none".')
    expect(diagnostic).to.not.have.property('pointer')
  })
})
