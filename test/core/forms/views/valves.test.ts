import { expect } from 'chai'
import { createHost, editConfig } from '../../../../src/core/index.ts'
import type { Python } from '../../../../src/python/find-python.ts'
import { extension, provider } from '../../../helpers/plugins.ts'
import { pythonOf, runPython } from '../../../helpers/python.ts'
import { hostOfAll } from '../../../helpers/shipped-form.ts'

const PLUGIN = extension('my-e', {
  configSchema: {
    type: 'object',
    title: 'Eee',
    properties: {
      text: { type: 'string', maxLength: 9, title: 'A "title"\nwith \\ and \ud83d\ude00, \ud800' },
      size: { type: 'number', exclusiveMinimum: 0, default: 2 },
      count: { type: 'integer', minimum: -1, maximum: 3, multipleOf: 2 },
      on: { type: 'boolean', default: true },
      kind: { enum: ['x', 'y'], default: 'y', description: "It's" },
      only: { const: 'None' },
      words: { type: 'array', items: { type: 'string' }, default: ['a'] },
      some: { type: 'array', items: { enum: ['p', 'q'] } },
      split: { type: 'array', items: { type: 'string' }, default: ['a, b'] },
      rows: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      key: { type: 'string', writeOnly: true },
      class: { type: 'string' },
      'a-b': { type: 'string' },
      a_b: { type: 'string' },
    },
  },
})

async function viewOf(settings: { readonly [key: string]: unknown } = {}) {
  await using host = await createHost({ plugins: [provider('p'), PLUGIN] })
  return await host.uiSchema(
    { settings: { 'my-e': settings } },
    { format: 'valves', plugin: 'my-e' },
  )
}

/** Makes a model of a source; prints its schema, and what it makes of values. */
const TRY = `
import json, sys
given = json.loads(sys.argv[1])
space = {}
exec(given["source"], space)
Valves = space["Valves"]
made = Valves(**given["values"]).model_dump(exclude_unset=True)
try:
    Valves(**given["wrong"])
    refused = None
except ValueError as error:
    refused = str(error)
json.dump({"spec": Valves.model_json_schema(), "made": made, "refused": refused}, sys.stdout)
`

interface Tried {
  readonly spec: unknown
  readonly made: { readonly [name: string]: unknown }
  readonly refused: string | null
}

describe('the settings as valves of Open WebUI', () => {
  it('are a pydantic model with the schema and the values of its form', async () => {
    const { source, spec, values } = await viewOf({ size: 3, on: true, words: ['a'] })
    expect(source).to.include('class Valves(BaseModel):\n')
    expect(source).to.include(
      '    my_e__kind: Literal["x", "y"] = Field(default="y", title="Kind", description="It\'s")\n',
    )
    expect(spec).to.deep.include({ title: 'Valves', type: 'object' })
    const { properties } = spec as { properties: { [name: string]: object } }
    expect(properties['my_e__kind']).to.deep.equal({
      type: 'string',
      enum: ['x', 'y'],
      title: 'Kind',
      description: "It's",
      default: 'y',
    })
    expect(properties['my_e__some']).to.deep.include({ description: '(p, q)', default: null })
    expect(values, 'without what is a default').to.deep.equal({ my_e__size: 3 })
  })

  it('mask secrets as they are typed, and never have one', async () => {
    const { spec, values } = await viewOf({ key: 'sesame' })
    const { properties } = spec as { properties: { [name: string]: object } }
    expect(properties['my_e__key']).to.deep.include({ input: { type: 'password' } })
    expect(values).to.deep.equal({})
  })

  it('leave out lists that commas would split, tables, and no name twice', async () => {
    const { left, pointers } = await viewOf({ words: ['a,b'] })
    const reason = 'a list that a comma-separated text cannot represent'
    const pointersLeft = ['words', 'split', 'rows'].map((name) => `/settings/my-e/${name}`)
    expect(left).to.deep.equal(pointersLeft.map((pointer) => ({ pointer, reason })))
    expect(pointers).to.include({
      my_e__a_b: '/settings/my-e/a-b',
      my_e__a_b_2: '/settings/my-e/a_b',
    })
  })

  it('come back as a config: what is empty is not set', async () => {
    const view = await viewOf({ size: 3, count: 2 })
    const config = { settings: { 'my-e': { size: 3, count: 2 } } }
    const answer = { my_e__size: null, my_e__count: 0, my_e__words: [''], my_e__text: '', other: 1 }
    expect(editConfig(config, view, answer)).to.deep.equal({ settings: { 'my-e': { count: 0 } } })
  })

  describe('in pydantic', function () {
    this.timeout(60_000)
    let python: Python
    before(async function () {
      python = await pythonOf(this)
      await runPython(python, '-c', 'import pydantic').catch(() => {
        process.stderr.write(`"${this.test?.parent?.title}" is skipped: there is no pydantic\n`)
        this.skip()
      })
    })

    async function tryModel(given: object): Promise<Tried> {
      const { stdout } = await runPython(python, '-c', TRY, JSON.stringify(given))
      return JSON.parse(stdout) as Tried
    }

    it('have the schema that the view says', async () => {
      const { source, spec, values } = await viewOf({ size: 3, key: 'sesame' })
      const tried = await tryModel({ source, values, wrong: { my_e__count: 3 } })
      expect(tried.spec).to.deep.equal(spec)
      expect(tried.made).to.deep.equal({ my_e__size: 3 })
      expect(tried.refused).to.include('my_e__count')
    })

    it('have it for all shipped plugins, and give back the same config', async function () {
      const { host, config, close } = await hostOfAll(this)
      const view = await host.uiSchema(config, { format: 'valves' })
      const changed = { ...view.values, temperature: '0.5', openai__api: 'chat' }
      const wrong = { temperature: 'hot' }
      const untouched = await tryModel({ ...view, wrong })
      expect(untouched.spec).to.deep.equal(view.spec)
      expect(untouched.refused).to.include('temperature')
      expect(editConfig(config, view, untouched.made)).to.deep.equal(config)
      const { made } = await tryModel({ ...view, values: changed, wrong })
      const edited = editConfig(config, view, made)
      expect(edited).to.deep.include({ temperature: 0.5 })
      expect(edited.settings?.['openai']).to.deep.equal({ api_key: 'sk-open-sesame', api: 'chat' })
      await close()
    })
  })
})
