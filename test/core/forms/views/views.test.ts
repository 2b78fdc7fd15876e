import { Ajv } from 'ajv'
import { expect } from 'chai'
import {
  type ConfigLayer,
  createHost,
  editConfig,
  type Host,
  HostError,
  type SettingsFormat,
} from '../../../../src/core/index.ts'
import { extension, provider } from '../../../helpers/plugins.ts'

const FORMATS = ['jsonforms', 'rjsf', 'valves', 'mcp', 'vscode'] as const

async function thrownBy(action: () => Promise<unknown>): Promise<HostError> {
  const thrown = await action().then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!HostError.is(thrown)) expect.fail(`no HostError but ${String(thrown)}`)
  return thrown
}

function asked(host: Host, config: ConfigLayer, format?: SettingsFormat): Promise<object> {
  return format === undefined ? host.uiSchema(config) : host.uiSchema(config, { format })
}

describe('host.uiSchema with a format', () => {
  const plugins = [provider('p'), extension('e'), extension('off', { defaultEnabled: false })]
  const view = async (options: object) => {
    await using host = await createHost({ plugins })
    return await host.uiSchema({}, options as { format: SettingsFormat })
  }

  it('is the document itself without one, and what JSON Forms takes is a part of it', async () => {
    await using host = await createHost({ plugins })
    const { schema, uischema, data } = await host.uiSchema({})
    expect(await view({ format: undefined })).to.have.property('sections')
    expect(await view({ format: 'jsonforms' })).to.deep.equal({ schema, uischema, data })
  })

  it('refuses one that it has not, and says what was meant', async () => {
    const { code, message } = await thrownBy(() => view({ format: 'rjs' }))
    expect({ code, message }).to.deep.equal({
      code: 'OPTION_INVALID',
      message:
        '"format" must be one of jsonforms, rjsf, valves, mcp, vscode, not "rjs". Did you mean "rjsf"?',
    })
    for (const format of ['__proto__', 'constructor', 7, null, ['rjsf']])
      expect(await thrownBy(() => view({ format }))).to.include({ code: 'OPTION_INVALID' })
  })

  it('takes one plugin alone where the form may be small, and that is on', async () => {
    const codeOf = async (format: string, plugin: unknown) =>
      (await thrownBy(() => view({ format, plugin }))).code
    expect(await codeOf('rjsf', 'e')).to.equal('OPTION_INVALID')
    expect(await codeOf('mcp', 'nix')).to.equal('PLUGIN_UNKNOWN')
    expect(await codeOf('mcp', '__proto__')).to.equal('PLUGIN_UNKNOWN')
    expect(await codeOf('valves', 'off')).to.equal('PLUGIN_OFF')
    const { requestedSchema } = (await view({ format: 'mcp', plugin: 'e' })) as {
      requestedSchema: { properties: object }
    }
    expect(requestedSchema.properties).to.deep.equal({})
  })
})

const text = { type: 'string' }
const branch = (kind: string, more: object) => ({
  type: 'object',
  properties: { kind: { const: kind }, ...more },
  required: ['kind'],
})

/** Schemas and settings that no form may break at: whether the plugin's settings are shown at all. */
const HOSTILE: {
  readonly [what: string]: { schema: object; settings?: unknown; fields: boolean }
} = {
  'refers to itself': {
    schema: { properties: { a: text, tree: { $ref: '#' } } },
    settings: { a: 'x', tree: { tree: { tree: { a: 'y' } } } },
    fields: true,
  },
  'refers to the outside': {
    schema: { properties: { a: { $ref: 'https://example.org/schema.json' } } },
    fields: false,
  },
  'is one of several objects': {
    schema: {
      properties: {
        a: text,
        source: { oneOf: [branch('f', { path: text }), branch('w', { url: text })] },
      },
    },
    settings: { source: { kind: 'w', url: 'u' } },
    fields: true,
  },
  'has 10,000 properties': {
    schema: {
      properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a${at}`, text])),
    },
    fields: false,
  },
  'has a pattern that explodes': {
    schema: { properties: { a: { ...text, pattern: '^(a+)+$' } } },
    settings: { a: `${'a'.repeat(50)}!` },
    fields: true,
  },
  'names what every object has': {
    schema: JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}, "a": {"type": "string"}}}',
    ) as object,
    settings: { constructor: 'c', toString: 't' },
    fields: true,
  },
  'is given settings of the wrong type': {
    schema: { properties: { a: text, b: { type: 'integer' } } },
    settings: { a: 7, b: 'seven' },
    fields: true,
  },
  'is given a value nested too deep to check': {
    schema: { properties: { a: text, b: {} } },
    settings: { b: Array.from({ length: 150 }).reduce<unknown>((inner) => [inner], []) },
    fields: true,
  },
}

/** What the field of `/settings/e/a` is known by. */
const NAMES = {
  jsonforms: '#/properties/settings/properties/e/properties/a',
  rjsf: 'a',
  valves: 'e__a',
  mcp: 'e__a',
  vscode: 'braidwork.settings.e.a',
}

const LATER = extension('later', {
  configSchema: { type: 'object', properties: { z: { type: 'string', default: 'zz' } } },
})

describe('a form of a plugin whose schema', () => {
  for (const [what, { schema, settings, fields }] of Object.entries(HOSTILE)) {
    for (const format of [undefined, ...FORMATS]) {
      it(`${what} is whole as ${format ?? 'the document'}`, async function () {
        this.timeout(10_000)
        const plugin = extension('e', { configSchema: { type: 'object', ...schema } })
        await using host = await createHost({ plugins: [provider('p'), plugin, LATER] })
        const config = settings === undefined ? {} : { settings: { e: settings } }
        const view = await asked(host, config as ConfigLayer, format)
        const shown = JSON.stringify(view)
        expect(JSON.parse(shown), 'plain JSON').to.deep.equal(view)
        expect(shown).to.include('zz').and.not.to.include('"a9999"')
        const name = NAMES[format ?? 'jsonforms']
        expect(shown.includes(`"${name}"`), name).to.equal(fields)
      })
    }
  }

  it('is given settings under __proto__ is refused with the config, in each format', async () => {
    await using host = await createHost({ plugins: [provider('p'), LATER] })
    const texts = ['{"__proto__": {"z": "polluted"}}', '{"later": {"__proto__": {"z": 1}}}']
    for (const format of [undefined, ...FORMATS]) {
      for (const text of texts) {
        const settings = JSON.parse(text) as unknown
        const ask = () => asked(host, { settings } as ConfigLayer, format)
        expect((await thrownBy(ask)).code).to.equal('CONFIG_INVALID')
      }
    }
  })

  it('explodes in no renderer: its pattern is left to the host', async () => {
    const { schema } = HOSTILE['has a pattern that explodes'] ?? expect.fail()
    const plugin = extension('e', { configSchema: { type: 'object', ...schema } })
    await using host = await createHost({ plugins: [provider('p'), plugin] })
    const view = await host.uiSchema({}, { format: 'rjsf' })
    const data = { settings: { e: { a: `${'a'.repeat(50)}!` } } }
    expect(new Ajv({ strict: false }).validate(view.schema, data)).to.equal(true)
  })

  it('is off or gone keeps its settings, and is in no view', async () => {
    const off = extension('off', {
      defaultEnabled: false,
      configSchema: { type: 'object', properties: { hidden: text } },
    })
    await using host = await createHost({ plugins: [provider('p'), off] })
    const config = { settings: { off: { hidden: 'h' }, gone: { hidden: 'g' } } }
    for (const format of FORMATS) {
      const view = await host.uiSchema(config, { format })
      expect(JSON.stringify(view), format).not.to.include('hidden')
      if (!('contributes' in view)) {
        const answer = 'formData' in view ? view.formData : 'data' in view ? view.data : view.values
        expect(editConfig(config, view, answer)).to.deep.equal(config)
      }
    }
  })
})

describe('editConfig', () => {
  const shown = { data: { settings: { e: { a: 1 } } } }

  it('refuses what is no JSON object, or would reach what every object has', () => {
    const wrong = [
      null,
      'text',
      [],
      { a: () => 1 },
      { a: Number.NaN },
      JSON.parse('{"settings": {"__proto__": {"polluted": true}}}'),
      Array.from({ length: 100_000 }).reduce<object>((inner) => ({ inner }), {}),
    ]
    for (const answer of wrong) {
      const edit = () => editConfig({}, shown, answer as never)
      expect(edit).to.throw().with.property('code', 'SETTINGS_INVALID')
    }
    expect(Object.prototype).not.to.have.property('polluted')
  })

  it('keeps names that every object has as names', () => {
    const answer = { settings: { e: { a: 1 }, constructor: { toString: 'x' } } }
    expect(editConfig({}, shown, answer)).to.deep.equal({
      settings: { constructor: { toString: 'x' } },
    })
  })

  it('leaves a config as it is where nothing was changed, whatever it has', () => {
    const config = { seed: 1, own: { deep: [1] }, settings: { e: { a: 1, b: 2 } } }
    expect(editConfig(config, shown, shown.data)).to.deep.equal(config)
  })
})
