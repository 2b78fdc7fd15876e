import { expect } from 'chai'
import fc from 'fast-check'
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { PRESETS } from '../../../providers/openai-compatible/presets.ts'
import scripted from '../../../providers/scripted/index.ts'
import {
  type CallerTool,
  type ConfigLayer,
  createHost,
  type Host,
  type LoweredTool,
} from '../../../src/core/index.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import { tool } from '../../helpers/plugins.ts'
import { ShippedForms } from '../../helpers/shipped-form.ts'
import { ARGUMENTS } from '../tool-schemas/schemas.ts'

/** A tool as it stands in a request, whatever the API calls its parts. */
interface Sent {
  readonly name: string
  readonly input_schema: JsonObject
  readonly strict: boolean
}

interface NativeTool {
  readonly function?: NativeTool
  readonly name: string
  readonly parameters?: JsonObject
  readonly input_schema?: JsonObject
  readonly strict?: boolean
}

const KEY = { api_key: 'sk-test-0123456789', base_url: 'https://nowhere.test/v1' }
const STRICT = [undefined, true, false]

function configsOf(provider: string, model: string, settings: object): readonly ConfigLayer[] {
  return STRICT.map((strict) => {
    const told = strict === undefined ? {} : { strict_tools: strict }
    return { provider, model, settings: { [provider]: { ...KEY, ...settings, ...told } } }
  })
}

/** Each shipped provider in all the ways in which its requests have tools. */
const CONFIGS: readonly ConfigLayer[] = [
  { provider: 'scripted' },
  ...configsOf('openai', 'gpt-5', { api: 'responses' }),
  ...configsOf('openai', 'gpt-5', { api: 'chat' }),
  ...configsOf('anthropic', 'claude-sonnet-5-5', {}),
  ...configsOf('anthropic', 'claude-3-haiku-20240307', {}),
  ...configsOf('openai-compatible', 'some-model', {}),
  ...Object.keys(PRESETS).flatMap((preset) =>
    configsOf('openai-compatible', 'some-model', { preset }),
  ),
]

function titleOf({ provider, model, settings = {} }: ConfigLayer): string {
  const { api, preset, strict_tools: strict } = settings[String(provider)] ?? {}
  const facts = [provider, api ?? preset, model, strict === undefined ? '' : `strict ${strict}`]
  return facts.filter((fact) => fact !== undefined && fact !== '').join(', ')
}

const REFERRING = { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }
const OPTIONAL = { type: 'object', properties: { a: { type: 'string' } } }
const BRANCHED = {
  anyOf: [
    { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    { type: 'object', properties: { place: { type: 'string' } } },
  ],
}
const AWKWARD: readonly JsonObject[] = [
  REFERRING,
  BRANCHED,
  { properties: { city: { type: 'string' } } },
  { type: 'object', properties: { next: { $ref: '#' } } },
  { type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'] },
  { type: 'string' },
]

/** A host whose tools have the schemas of a list that its tests fill. */
function hostOffering(schemas: () => readonly JsonObject[]): Promise<Host> {
  const getToolSchemas = () =>
    schemas().map((input_schema, at) => ({ name: `t${at}`, description: 'Acts', input_schema }))
  const plugins = [scripted, openai, anthropic, openaiCompatible, tool('acts', { getToolSchemas })]
  return createHost({ plugins })
}

async function sentBy(
  host: Host,
  config: ConfigLayer,
  tools: readonly CallerTool[],
): Promise<readonly Sent[]> {
  const { native } = await host.dryRun(config, 'Hello', { tools })
  const { tools: sent = [] } = native as { readonly tools?: readonly NativeTool[] }
  return sent.map((one) => {
    const { name, parameters, input_schema, strict } = one.function ?? one
    return { name, input_schema: (input_schema ?? parameters)!, strict: strict === true }
  })
}

/** Asks the door and the request for the same; gives what the door shows. */
async function assertSame(
  host: Host,
  config: ConfigLayer,
  tools: readonly CallerTool[] = [],
): Promise<readonly LoweredTool[]> {
  const shown = await host.toolSchemas(config, { for: 'provider', tools })
  const promised = shown.map(({ name, input_schema, strict = false }) => ({
    name,
    input_schema,
    strict,
  }))
  expect(await sentBy(host, config, tools)).to.deep.equal(promised)
  return shown
}

describe('the tools of a request', () => {
  let host: Host
  let schemas: readonly JsonObject[] = []
  before(async () => {
    host = await hostOffering(() => schemas)
  })
  after(() => host.close())

  for (const config of CONFIGS) {
    it(`CL-46 are those that toolSchemas shows: ${titleOf(config)}`, async () => {
      schemas = AWKWARD
      await assertSame(host, config)
      await fc.assert(
        fc.asyncProperty(fc.array(ARGUMENTS, { minLength: 1, maxLength: 4 }), async (given) => {
          schemas = given
          await assertSame(host, config)
        }),
        { numRuns: process.env['EXHAUSTIVE'] ? 500 : 20 },
      )
    })
  }

  it('CL-46 are shown with what they lost, and why they are not strict', async () => {
    schemas = AWKWARD
    const [config] = configsOf('openai', 'gpt-5', {})
    const shown = await assertSame(host, config!)
    for (const { strict, lost } of shown) if (!strict) expect(lost).not.to.deep.equal([])
    expect(shown[0]).to.deep.include({ input_schema: REFERRING })
    expect(shown[0]?.lost).to.have.length(1)
    expect(shown[0]?.lost[0]).to.include({ pointer: '/properties/a', keyword: 'input_schema' })
  })

  it('CL-46 are as they were where a schema is too large to be lowered in a request', async () => {
    const large = (length: number) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length }, (_, at) => [`p${at}`, { type: 'string' }]),
      ),
    })
    schemas = [large(4_900), large(5_000), OPTIONAL]
    const [config] = configsOf('openai', 'gpt-5', {})
    const shown = await assertSame(host, config!)
    expect(shown.map(({ strict }) => strict)).to.deep.equal([true, false, true])
    expect(shown[1]).to.deep.include({ input_schema: schemas[1] })
    expect(shown[1]?.lost[0]?.reason).to.include('more than 10000 values')
  })

  it('CL-46 are lowered together: what a request may have in all counts', async () => {
    schemas = Array.from({ length: 22 }, () => ({ type: 'object', properties: {} }))
    const [, config] = configsOf('anthropic', 'claude-sonnet-5-5', {})
    const shown = await assertSame(host, config!)
    expect(shown.filter(({ strict }) => strict)).to.have.length(20)
  })

  it('CL-46 are those that toolSchemas shows where the caller brings some along', async () => {
    schemas = [OPTIONAL]
    const tools = ['client', 'host'].map((name) => {
      const own = { name, description: 'Acts', input_schema: OPTIONAL }
      return name === 'client' ? own : { ...own, execute: () => 'done' }
    })
    for (const config of CONFIGS) {
      const shown = await assertSame(host, config, tools)
      expect(shown.map(({ name }) => name)).to.deep.equal(['t0', 'client', 'host'])
    }
    const [config] = configsOf('openai', 'gpt-5', {})
    const shown = await host.toolSchemas(config, { for: 'provider', tools })
    expect(shown.map(({ strict }) => strict)).to.deep.equal([true, false, true])
    expect(shown[1]?.lost.map(({ pointer }) => pointer)).to.deep.equal(['/properties/a'])
  })

  it('say in a warning which tools no model is held to, where all were to be', async () => {
    schemas = [{ type: 'object', additionalProperties: true }]
    for (const strict of [true, undefined]) {
      const settings = strict ? { ...KEY, strict_tools: true } : KEY
      const warnings: string[] = []
      await using logging = await createHost({
        plugins: [
          openai,
          tool('acts', { getToolSchemas: () => [{ name: 'open', input_schema: schemas[0] }] }),
        ],
        log: ({ message }) => warnings.push(message),
      })
      await logging.dryRun(
        { provider: 'openai', model: 'gpt-5', settings: { openai: settings } },
        'Hi',
      )
      expect(warnings.join().includes('cannot enforce the schema of the tool "open"')).to.equal(
        !!strict,
      )
    }
  })
})

describe('the tools of every shipped plugin', () => {
  let shipped: ShippedForms
  let host: Host
  before(async function () {
    this.timeout(30_000)
    shipped = await ShippedForms.make(this)
    host = await shipped.host()
  })
  after(async () => {
    await host?.close()
    await shipped?.remove()
  })

  for (const config of CONFIGS) {
    it(`CL-46 are sent as toolSchemas shows them: ${titleOf(config)}`, async () => {
      const root = import.meta.dirname
      const settings = { ...config.settings, files: { root }, 'search-docs': { root } }
      const names = shipped.plugins.filter(({ kind }) => kind === 'tool').map(({ name }) => name)
      const whole = { ...config, enabled_plugins: names, settings }
      expect(await assertSame(host, whole)).to.have.length.above(names.length)
    })
  }
})
