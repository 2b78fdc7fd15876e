import { Ajv } from 'ajv'
import { expect } from 'chai'
import {
  type ConfigLayer,
  editConfig,
  type Host,
  type SettingsDocument,
} from '../../src/core/index.ts'
import { ofCommit } from '../helpers/cases.ts'
import {
  configFilled,
  configToFill,
  fillingSteps,
  isSecret,
  KINDS,
  PROVIDERS,
} from '../helpers/filled-settings.ts'
import { ShippedForms } from '../helpers/shipped-form.ts'
import { type Filled, fillIn, type Job, type Step } from './filling-in.ts'
import { BROWSER_IS_MISSING } from './program.ts'

const HOST = 'Model and answer'

function stepsFor(provider: string, titleOf: (plugin: string) => string): readonly Step[] {
  return fillingSteps(provider).map(({ plugin, ...step }) => ({
    ...step,
    category: plugin === undefined ? HOST : titleOf(plugin),
  }))
}

const FORMATS = ['jsonforms', 'rjsf'] as const
/** Those whose forms are filled in: all but the provider is the same in each. */
const FILLED = ofCommit(PROVIDERS, 2)

describe('the form of all shipped plugins, in a browser', function () {
  this.timeout(240_000)
  let shipped: ShippedForms
  let host: Host
  let filled: ReadonlyMap<string, Filled>
  const documents = new Map<string, SettingsDocument>()

  const configFor = (provider: string): ConfigLayer => configToFill(provider, shipped.names)

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`"${this.test?.parent?.title}" is skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    shipped = await ShippedForms.make(this)
    host = await shipped.host([KINDS])
    const jobs: Job[] = []
    for (const provider of PROVIDERS) {
      const config = configFor(provider)
      const document = await host.uiSchema(config)
      documents.set(provider, document)
      if (!FILLED.includes(provider)) continue
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
  after(async () => {
    await host?.close()
    await shipped?.remove()
  })

  function filledIn(name: string): Filled {
    return filled.get(name) ?? expect.fail(`${name} was not filled in`)
  }

  it('has a category for each plugin of the repository, beside one provider or another', () => {
    const shown = [...documents.values()].flatMap(({ uischema }) =>
      uischema.elements.flatMap(({ options }) => options?.plugin ?? []),
    )
    expect(new Set(shown)).to.include.all.keys(shipped.plugins.map(({ name }) => name))
    expect(shipped.providers).to.have.members(PROVIDERS)
  })

  it('would say so if it had an element that no renderer knows', () => {
    expect(filledIn('unknown').texts.join()).to.include('No applicable renderer found')
  })

  for (const provider of FILLED) {
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
        const all = stepsFor(provider, String).map((step, at) => ({ step, field: found[at] }))
        const secrets = all.filter(({ step }) => isSecret(step)).map(({ field }) => field)
        expect(secrets.length).to.be.greaterThan(0)
        for (const field of secrets) expect(field).to.deep.equal({ type: 'password', value: '' })
        const [before, after] = all
          .filter(({ step }) => step.keys.at(-1) === 'url')
          .map(({ field }) => field)
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
        expect(edited).to.deep.equal(configFilled(config, provider, shipped.names))
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
