import { type } from 'arktype'
import { expect } from 'chai'
import fc from 'fast-check'
import { z } from 'zod'
import {
  checkConfig,
  configDiagnostics,
  settingsFaults,
} from '../../../src/core/config/check-config.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { errorOf, provider, tool } from '../../helpers/plugins.ts'

describe('checkConfig', () => {
  it('says what a value with alternatives may be', async () => {
    const error = await errorOf(() => checkConfig({ tool_choice: 5 }))
    expect(error.message).to.include('must be "auto", "none", "required", or of type object')
  })

  it('takes every key that a config has, and any other', () => {
    const config = {
      provider: 'p',
      model: 'm',
      plugins: ['./a.js'],
      enabled_plugins: ['a'],
      disabled_plugins: { add: ['b'], remove: ['c'] },
      force_enabled_plugins: [],
      temperature: 0.5,
      top_p: 1,
      max_output_tokens: 10,
      stop: ['x'],
      seed: 1,
      tool_choice: { tool: 'x' },
      parallel_tool_calls: true,
      reasoning_effort: 'low',
      response_format: { type: 'json' },
      settings: { p: { key: 'x' } },
      tool_names: { 'a.b': 'c' },
      limits: { hook: 1 },
      greeting: { any: ['thing'] },
    }
    expect(checkConfig(config)).to.deep.equal(config)
  })

  for (const [library, schema] of [
    ['zod', z.object({ city: z.string() })],
    ['arktype', type({ city: 'string' })],
  ] as const) {
    it(`says what to give in place of a schema of ${library}`, async () => {
      const response_format = { type: 'json-schema', schema }
      const error = await errorOf(() => checkConfig({ response_format }))
      expect(error).to.include({ pointer: '/response_format/schema' })
      expect(error.message).to.include('give its JSON Schema, of zod `z.toJSONSchema(schema)`')
    })
  }

  const FAULTS: readonly [what: string, config: unknown, pointer: string][] = [
    ['text', 'openai', ''],
    ['a list', [], ''],
    ['a provider that is a number', { provider: 7 }, '/provider'],
    ['a temperature that is text', { temperature: 'hot' }, '/temperature'],
    [
      'a misspelled key of the format of the answer',
      { response_format: { type: 'json', nam: 'x' } },
      '/response_format/nam',
    ],
    ['a list of ids that is text', { enabled_plugins: 'a' }, '/enabled_plugins'],
    ['settings that are a list', { settings: [] }, '/settings'],
    ['a limit that is text', { limits: { hook: '1' } }, '/limits/hook'],
    ['a tool without a name', { tool_names: { 't.x': '' } }, '/tool_names/t.x'],
    ['a function', { greeting: () => 1 }, '/greeting'],
    ['a key "__proto__"', JSON.parse('{"settings": {"__proto__": {}}}'), '/settings/__proto__'],
  ]
  for (const [what, config, pointer] of FAULTS) {
    it(`refuses ${what}, and says where`, async () => {
      const error = await errorOf(() => checkConfig(config))
      expect(error).to.include({ code: 'CONFIG_INVALID', pointer })
    })
  }

  it('refuses with CONFIG_INVALID, and with nothing else', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        try {
          checkConfig(value)
        } catch (error) {
          expect(HostError.is(error) && error.code).to.equal('CONFIG_INVALID')
        }
      }),
    )
  })
})

describe('configDiagnostics', () => {
  it('notes a key that the host does not know, and settings of nobody', () => {
    const found = configDiagnostics({ temprature: 1, settings: { cloc: {} } }, [tool('clock')])
    expect(found.map(({ code, pointer }) => [code, pointer])).to.deep.equal([
      ['CONFIG_KEY_UNKNOWN', '/temprature'],
      ['SETTINGS_UNUSED', '/settings/cloc'],
    ])
    expect(found[0]?.message).to.include('Did you mean "temperature"?')
    expect(found[1]?.message).to.include('Did you mean "clock"?')
  })

  it('points at keys as JSON pointers are written', () => {
    const noted = configDiagnostics({ 'a/b~c': 1, settings: { 'd/e': {} } }, [])
    expect(noted.map(({ pointer }) => pointer)).to.deep.equal(['/a~1b~0c', '/settings/d~1e'])
  })

  it('notes nothing in a config that names what there is', () => {
    expect(
      configDiagnostics({ model: 'm', settings: { clock: {} } }, [tool('clock')]),
    ).to.deep.equal([])
  })
})

describe('settingsFaults', () => {
  const configSchema = {
    type: 'object',
    properties: { units: { enum: ['m', 'ft'] } },
    additionalProperties: false,
  }

  it('checks settings again that another schema allowed', async () => {
    const config = { settings: { t: { unit: 'm' } } }
    const schemaOf = (type: string) => ({ properties: { unit: { type } } })
    const before = [tool('t', { configSchema: schemaOf('string') })]
    const after = [tool('t', { configSchema: schemaOf('number') })]

    expect(await settingsFaults(config, before)).to.deep.equal([])
    const [fault] = await settingsFaults(config, after)
    expect(fault).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/t/unit' })
    expect(await settingsFaults(config, before)).to.deep.equal([])
  })

  it('finds what does not match the schema of a plugin, and where', async () => {
    const plugins = [provider('p'), tool('t', { configSchema })]
    const faults = await settingsFaults({ settings: { t: { units: 'miles' } } }, plugins)
    expect(faults).to.have.length(1)
    expect(faults[0]).to.include({
      code: 'SETTINGS_INVALID',
      plugin: 't',
      pointer: '/settings/t/units',
    })
    expect(faults[0]?.message).to.include('"m", "ft"')
  })

  it('names what was meant by a misspelled setting', async () => {
    const plugins = [tool('t', { configSchema })]
    const [fault] = await settingsFaults({ settings: { t: { unit: 'm' } } }, plugins)
    expect(fault?.message).to.include('Did you mean "units"?')
  })

  it('finds nothing where settings match, or where none are needed', async () => {
    const plugins = [tool('t', { configSchema }), tool('u')]
    expect(
      await settingsFaults({ settings: { t: { units: 'm' }, u: { any: 1 } } }, plugins),
    ).to.deep.equal([])
    expect(await settingsFaults({}, plugins)).to.deep.equal([])
  })

  it('finds a required setting that is missing, where there are no settings at all', async () => {
    const schema = { type: 'object', required: ['key'], properties: { key: { type: 'string' } } }
    const [fault] = await settingsFaults({}, [tool('t', { configSchema: schema })])
    expect(fault).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/t/key' })
  })

  it('names the plugin whose schema is none', async () => {
    const plugins = [tool('t', { configSchema: { type: 'objekt' } })]
    const error = await errorOf(settingsFaults({ settings: { t: { a: 1 } } }, plugins))
    expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 't', hook: 'configSchema' })
  })
})
