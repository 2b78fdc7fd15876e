import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import fc from 'fast-check'
import { type ShippedPlugin, shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { validatorOf } from '../../src/core/config/index.ts'
import { isPlainlyValid } from '../../src/core/config/plainly-valid.ts'
import { settingsSchemaOf } from '../../src/core/config/settings-schema.ts'
import type { JsonObject } from '../../src/plugin/index.ts'
import { braidwork } from '../cli/command.ts'
import { ROOT } from '../helpers/source-files.ts'
import { objectFor } from './schema-values.ts'
import { TELLING_OF_AJV } from './telling-of-ajv.ts'

/** Plugins whose settings only the host's own compiler can check, and why. */
const BY_HOST: readonly string[] = ['guard', 'redact'] // "x-syntax": an RE2 expression

const SAMPLES = 150
const SEED = 20_261_123

/** What the built command prints beside the answer to a question, with settings of a plugin. */
async function besideAnswer(question: string): Promise<string> {
  const args = ['chat', question, '--set', 'settings.scripted.delay_ms=0']
  const { err } = await braidwork(args, { env: TELLING_OF_AJV })
  return err
}

/** Plain Node checks settings with the built packages, and prints the faults. */
const CHECK = `
import { validatorOf } from '@braidwork/core/internal'
import { compiledValidator } from '@braidwork/plugin/internal'
let input = ''
for await (const piece of process.stdin) input += piece
const checked = await Promise.all(JSON.parse(input).map(async ({ module, settings }) => {
  const { default: { configSchema: schema } } = await import(module)
  const validate = await validatorOf(schema)
  return { isCompiled: compiledValidator(schema) !== undefined, faults: settings.map((one) => validate(one) ?? null) }
}))
process.stdout.write(JSON.stringify(checked))`

interface Checked {
  readonly isCompiled: boolean
  readonly faults: readonly unknown[]
}

interface Case {
  readonly plugin: ShippedPlugin
  readonly schema: JsonObject
  readonly settings: readonly unknown[]
}

function caseOf(plugin: ShippedPlugin): readonly Case[] {
  const schema = plugin.plugin.configSchema && settingsSchemaOf(plugin.plugin)
  if (!schema) return []
  const settings = fc.sample(objectFor(schema), { numRuns: SAMPLES, seed: SEED })
  return [{ plugin, schema, settings: JSON.parse(JSON.stringify([...settings, 1, null, []])) }]
}

/** What the built packages say of all cases. */
function checkedByBuild(cases: readonly Case[]): readonly Checked[] {
  const input = cases.map(({ plugin: { folder }, settings }) => ({
    module: pathToFileURL(join(ROOT, folder, 'dist/bundle/index.js')).href,
    settings,
  }))
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', CHECK], {
    cwd: ROOT,
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  expect(stderr).to.equal('')
  return JSON.parse(stdout) as readonly Checked[]
}

describe('the validators that the build compiles', function () {
  this.timeout(60_000)

  let cases: readonly Case[] = []
  let built: readonly Checked[] = []
  before(async () => {
    const shipped = (await shippedPlugins()).filter(
      ({ folder }) => !existsSync(join(ROOT, folder, 'plugin.py')),
    )
    cases = shipped.flatMap(caseOf)
    built = checkedByBuild(cases)
  })

  it('are there for the settings of every shipped TypeScript plugin, but for those that only the host can check', () => {
    const byHost = cases.filter((_, at) => !built[at]?.isCompiled)
    expect(byHost.map(({ plugin: { name } }) => name)).to.deep.equal(BY_HOST)
    expect(cases.length).to.be.greaterThan(10)
  })

  it('find the faults that the host finds when it compiles the schema itself', async () => {
    let faulty = 0
    for (const [at, { plugin, schema, settings }] of cases.entries()) {
      const validate = await validatorOf(schema)
      const expected = settings.map((one) => validate(one) ?? null)
      faulty += expected.filter((fault) => fault !== null).length
      expect(built[at]?.faults, plugin.name).to.deep.equal(expected)
    }
    expect(faulty).to.be.greaterThan(cases.length * 10)
    expect(faulty).to.be.lessThan(cases.length * SAMPLES)
  })

  it('accept all that is seen to be valid without them', () => {
    let seen = 0
    for (const [at, { plugin, schema, settings }] of cases.entries()) {
      for (const [index, one] of settings.entries()) {
        if (!isPlainlyValid(schema, one)) continue
        seen++
        expect(built[at]?.faults[index], `${plugin.name}: ${JSON.stringify(one)}`).to.equal(null)
      }
    }
    expect(seen).to.be.greaterThan(cases.length)
  })

  it('are what the built command checks settings with, so that it loads no ajv', async () => {
    expect(await besideAnswer('Hi')).to.equal('')
    expect(await besideAnswer('What is 2 + 2?')).to.not.include('loaded ajv')
    // A form has schemas that no package was built with.
    const { err } = await braidwork(['settings'], { env: TELLING_OF_AJV })
    expect(err).to.include('loaded ajv')
  })
})
