import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { shippedPlugins } from '../../scripts/shipped-plugins.ts'
import {
  type ConfigLayer,
  createHost,
  editConfig,
  type Host,
  type SettingsDocument,
} from '../../src/index.ts'
import { extension } from '../helpers/plugins.ts'
import { ROOT } from '../helpers/source-files.ts'
import { BROWSER_IS_MISSING, type Filled, fillIn, type Job, type Step } from './filling-in.ts'

/** A setting of every kind that a form has a field for, and one that a rule shows. */
const KINDS = extension('kinds', {
  configSchema: {
    type: 'object',
    title: 'Kinds',
    properties: {
      'a name/with ~signs': { type: 'string', title: 'Strange name' },
      sizes: { enum: [1, 2, 3], title: 'Choice of numbers' },
      titled: {
        anyOf: [
          { const: 'a', title: 'First' },
          { const: 'b', title: 'Second' },
        ],
        title: 'Choice with titles',
      },
      either: { enum: [true, false], title: 'Choice of yes and no' },
      fixed: { const: 'only', title: 'One choice' },
      nullable: { type: ['string', 'null'], title: 'Text or nothing' },
      long: { type: 'string', maxLength: 5000, title: 'Long text' },
      day: { type: 'string', format: 'date', title: 'Day' },
      secret: { type: 'string', writeOnly: true, maxLength: 4000, title: 'Long secret' },
      numbers: { type: 'array', items: { type: 'number' }, title: 'Numbers' },
      set: {
        type: 'array',
        items: { type: 'string', enum: ['x', 'y', 'z'] },
        uniqueItems: true,
        title: 'Set',
      },
      group: {
        type: 'object',
        title: 'Group',
        properties: {
          inner: {
            type: 'object',
            title: 'Inner group',
            properties: { deep: { type: 'string', title: 'Deep' } },
          },
        },
      },
      mode: { enum: ['local', 'remote'], default: 'local', title: 'Mode' },
    },
    if: { properties: { mode: { const: 'remote' } }, required: ['mode'] },
    then: { properties: { url: { type: 'string', title: 'Address' } } },
  },
})

const HOST = 'Model and answer'

function stepsFor(provider: string, titleOf: (plugin: string) => string): readonly Step[] {
  const own = (
    plugin: string,
    key: string | readonly string[],
    step: Partial<Step> = {},
  ): Step => ({
    category: titleOf(plugin),
    keys: ['settings', plugin, ...[key].flat()],
    ...step,
  })
  const ofProvider = {
    openai: [
      own('openai', 'api_key', { type: 'sk-typed-sesame' }),
      own('openai', 'proxy'),
      own('openai', 'models', { add: ['gpt-x', 'gpt-y'] }),
    ],
    scripted: [own('scripted', 'delay_ms', { type: 3 })],
  }[provider]
  return [
    { category: HOST, keys: ['temperature'], type: 0.5 },
    { category: HOST, keys: ['reasoning_effort'], choose: 'High' },
    { category: HOST, keys: ['stop'], type: 'END' },
    { category: HOST, keys: ['switches', 'calculator'], check: false },
    ...(ofProvider ?? []),
    own('redact', 'rules', { add: ['email', 'iban'], pick: true }),
    own('redact', 'patterns', { add: [{ label: 'STAFF', pattern: 'S\\d{6}' }] }),
    own('instructions', 'text', { type: 'Be brief.\nBe kind.' }),
    own('kinds', 'a name/with ~signs', { type: 's' }),
    own('kinds', 'sizes', { type: 2 }),
    own('kinds', 'titled', { choose: 'Second' }),
    own('kinds', 'either', { check: true }),
    own('kinds', 'fixed', { choose: 'only' }),
    own('kinds', 'nullable', { type: 'n' }),
    own('kinds', 'long', { type: 'l' }),
    own('kinds', 'day', { type: '2026-01-02' }),
    own('kinds', 'secret', { type: 'sesame' }),
    own('kinds', 'numbers', { add: ['1', '2.5'] }),
    own('kinds', 'set', { add: ['x', 'z'], pick: true }),
    own('kinds', ['group', 'inner', 'deep'], { type: 'd' }),
    own('kinds', 'url'),
    own('kinds', 'mode', { choose: 'remote' }),
    own('kinds', 'url', { type: 'http://a.example' }),
  ]
}

/** What comes of that filling-in. */
function editedFrom(config: ConfigLayer, provider: string, names: readonly string[]): ConfigLayer {
  const { settings = {} } = config
  const own = {
    openai: {
      openai: { ...settings['openai'], api_key: 'sk-typed-sesame', models: ['gpt-x', 'gpt-y'] },
    },
    scripted: { scripted: { ...settings['scripted'], delay_ms: 3 } },
  }[provider]
  return {
    ...config,
    enabled_plugins: names.filter((name) => name !== 'calculator'),
    temperature: 0.5,
    reasoning_effort: 'high',
    stop: 'END',
    disabled_plugins: { add: ['calculator'], remove: [] },
    settings: {
      ...settings,
      ...own,
      redact: {
        rules: ['email', 'iban'],
        patterns: [{ label: 'STAFF', pattern: 'S\\d{6}' }],
      },
      instructions: { text: 'Be brief.\nBe kind.' },
      kinds: {
        'a name/with ~signs': 's',
        sizes: 2,
        titled: 'b',
        either: true,
        fixed: 'only',
        nullable: 'n',
        long: 'l',
        day: '2026-01-02',
        secret: 'sesame',
        numbers: [1, 2.5],
        set: ['x', 'z'],
        group: { inner: { deep: 'd' } },
        mode: 'remote',
        url: 'http://a.example',
      },
    },
  }
}

const FORMATS = ['jsonforms', 'rjsf'] as const

describe('the form of all shipped plugins, in a browser', function () {
  this.timeout(120_000)
  let host: Host
  let names: readonly string[]
  let filled: ReadonlyMap<string, Filled>
  const documents = new Map<string, SettingsDocument>()

  function configFor(provider: string): ConfigLayer {
    return {
      provider,
      enabled_plugins: names,
      response_format: { type: 'json-schema', schema: { type: 'object' } },
      settings: {
        openai: { proxy: 'http://user:sesame@proxy.example' },
        files: { root: '.' },
        'search-docs': { root: '.' },
        guard: { rules: [{ name: 'curse', words: ['damn'], on: 'answer' }] },
        instructions: { text: 'The office is in Ulm.' },
      },
    }
  }

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`"${this.test?.parent?.title}" is skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    const shipped = (await shippedPlugins()).filter(({ folder }) =>
      existsSync(join(ROOT, folder, 'index.ts')),
    )
    names = shipped.filter(({ kind }) => kind !== 'provider').map(({ name }) => name)
    host = await createHost({ plugins: [...shipped.map(({ plugin }) => plugin), KINDS] })
    const jobs: Job[] = []
    for (const provider of ['openai', 'scripted']) {
      const config = configFor(provider)
      const document = await host.uiSchema(config)
      documents.set(provider, document)
      const titleOf = (name: string) =>
        document.sections.find(({ plugin }) => plugin === name)?.title ?? name
      for (const format of FORMATS) {
        const view = await host.uiSchema(config, { format })
        jobs.push({
          name: `${format} ${provider}`,
          format,
          view,
          steps: stepsFor(provider, titleOf),
        })
      }
    }
    const unknown = { schema: {}, data: {}, uischema: { type: 'Carousel', elements: [] } }
    filled = await fillIn([
      ...jobs,
      { name: 'unknown', format: 'jsonforms', view: unknown, steps: [] },
    ])
  })
  after(() => host?.close())

  function filledIn(name: string): Filled {
    return filled.get(name) ?? expect.fail(`${name} was not filled in`)
  }

  it('would say so if it had an element that no renderer knows', () => {
    expect(filledIn('unknown').texts.join()).to.include('No applicable renderer found')
  })

  for (const provider of ['openai', 'scripted']) {
    for (const format of FORMATS) {
      it(`is shown whole by ${format}, without a word on the console: ${provider}`, () => {
        const { thrown, said, texts, errors } = filledIn(`${format} ${provider}`)
        expect({ thrown, said, errors }).to.deep.equal({ thrown: undefined, said: [], errors: [] })
        const { elements } = documents.get(provider)?.uischema ?? expect.fail('no document')
        expect(texts).to.have.length(format === 'jsonforms' ? elements.length : 1)
        for (const { label } of elements.slice(1)) expect(texts.join()).to.include(label)
        expect(texts.join()).not.to.match(/No applicable|Unsupported field|Unknown field/)
        expect(texts.join()).not.to.include('sesame')
      })

      it(`hides secrets, and what a rule does not show, in ${format}: ${provider}`, () => {
        const { found } = filledIn(`${format} ${provider}`)
        const all = stepsFor(provider, String).map(({ keys }, at) => [keys.at(-1), found[at]])
        const secrets = all.filter(([key]) => ['api_key', 'proxy', 'secret'].includes(String(key)))
        expect(secrets).to.have.length(provider === 'openai' ? 3 : 1)
        for (const [, field] of secrets)
          expect(field).to.deep.equal({ type: 'password', value: '' })
        const [before, after] = all.filter(([key]) => key === 'url').map(([, field]) => field)
        expect(before).to.equal(null)
        expect(after).to.deep.equal({ type: 'text', value: '' })
      })

      it(`gives data that fit, and make the same config, in ${format}: ${provider}`, async () => {
        const { data = {} } = filledIn(`${format} ${provider}`)
        const document = documents.get(provider) ?? expect.fail('no document')
        const ajv = new Ajv({ strict: false, validateFormats: false })
        expect(ajv.validate(document.schema, data), ajv.errorsText()).to.equal(true)
        const config = configFor(provider)
        const edited = editConfig(config, document, data)
        expect(edited).to.deep.equal(editedFrom(config, provider, names))
        const next = await host.uiSchema(edited)
        expect(JSON.stringify(next)).not.to.include('sesame')
        expect(next.diagnostics.filter(({ level }) => level === 'error')).to.deep.equal([])
      })
    }

    it(`gives deeply equal data in both: ${provider}`, () => {
      const [one, other] = FORMATS.map((format) => filledIn(`${format} ${provider}`).data)
      expect(one).to.be.an('object')
      expect(one).to.deep.equal(other)
    })
  }
})
