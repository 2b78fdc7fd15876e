import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost, type Host, type Result } from '../../../src/core/host/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { feature, schema, tool } from '../../helpers/plugins.ts'

const MISSPELT = '"add" in disabled_plugins is not a registered plugin. Did you mean "adds"?'
const UNKNOWN = 'Model "scriptd" is not among the available models.'

/** The ways to ask for an answer. */
const DOORS: {
  readonly [name: string]: (host: Host, config: ConfigLayer) => Promise<Result>
} = {
  send: (host, config) => host.send(config, 'go'),
  stream: (host, config) => host.stream(config, 'go').result,
  run: (host, config) => run(host, { config, messages: 'go' }).result,
}

describe('what resolution finds wrong', () => {
  let host: Host
  const adds = tool('adds', { getToolSchemas: () => [schema('add')], executeTool: () => 3 })
  const config: ConfigLayer = {
    model: 'scriptd',
    disabled_plugins: ['add'],
    settings: {
      scripted: {
        models: ['first'],
        script: [
          { when: { step: 1 }, then: { tool_calls: [{ name: 'add', input: {} }] } },
          { then: { text: 'Done.' } },
        ],
      },
    },
  }

  beforeEach(async () => {
    const throwing = feature('throwing', {
      getTags: () => {
        throw new Error('no tags')
      },
    })
    host = await scriptedHost([adds, throwing])
  })
  afterEach(() => host.close())

  for (const [name, ask] of Object.entries(DOORS)) {
    it(`is told once in the warnings of ${name}`, async () => {
      const { status, warnings } = await ask(host, config)
      expect(status).to.equal('done')
      const { diagnostics } = await host.resolve(config)
      expect(warnings).to.deep.equal(diagnostics.map(({ message }) => message))
      expect(warnings.filter((text) => text === MISSPELT)).to.have.length(1)
      expect(warnings.filter((text) => text.startsWith(UNKNOWN))).to.have.length(1)
      expect(warnings.filter((text) => text.includes('"throwing"'))).to.have.length(1)
    })

    it(`leaves ${name} without warnings where it found nothing`, async () => {
      const sound = await scriptedHost([adds])
      const { warnings } = await ask(sound, { disabled_plugins: ['adds'] })
      expect(warnings).to.deep.equal([])
      await sound.close()
    })
  }

  it('says what to do where no name is similar', async () => {
    const own = { models: ['first'] }
    const odd = {
      model: 'zzz',
      enabled_plugins: ['qqqqqq'],
      settings: { scripted: own, qqqqqq: {} },
    }
    expect((await host.send(odd, 'go')).warnings.slice(0, 3)).to.deep.equal([
      'The config has settings for "qqqqqq", which is not registered. Remove them, or load the plugin.',
      '"qqqqqq" in enabled_plugins is not a registered plugin. Remove it from the list, or load the plugin.',
      'Model "zzz" is not among the available models. Check its name, or add it to settings.scripted.models.',
    ])
  })

  it('is told in an answer that fails as well', async () => {
    const settings = { scripted: { ...config.settings?.['scripted'], delay_ms: 'long' } }
    const result = await host.stream({ ...config, settings }, 'go').result
    expect(result.error).to.include({ code: 'SETTINGS_INVALID' })
    expect(result.warnings).to.include(MISSPELT)
  })

  it('is told in every request', async () => {
    const ignored = feature('ignored', { executeTool: () => 1 })
    const noted = await createHost({ plugins: ['scripted', ignored, './not-there.ts'] })
    const { diagnostics } = await noted.resolve()
    expect(diagnostics.map(({ level }) => level)).to.have.members(['warning', 'error'])
    const lacking = diagnostics.map(({ message }) => message)
    expect((await noted.send({}, 'go')).warnings).to.deep.equal(lacking)
    expect((await noted.send({}, 'go')).warnings).to.deep.equal(lacking)
    await noted.close()
  })

  it('is told to the listener of an opened config, and not again in its answers', async () => {
    const warnings: string[] = []
    using opened = await host.open(config, {
      listener: { warn: (warning) => warnings.push(warning) },
    })
    expect(warnings).to.include(MISSPELT)
    expect((await opened.ask('go').result).warnings).to.deep.equal([])
  })
})
