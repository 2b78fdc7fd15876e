import { expect } from 'chai'
import { editConfig } from '../../../../src/core/index.ts'
import type { Python } from '../../../../src/python/venvs/find-python.ts'
import { pythonOf, runPython } from '../../../helpers/python.ts'
import { hostOfAll } from '../../../helpers/shipped-form.ts'
import { viewOf } from './valves-view.ts'

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
