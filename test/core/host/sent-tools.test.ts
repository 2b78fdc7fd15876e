import { expect } from 'chai'
import fc from 'fast-check'
import openai from '../../../providers/openai/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import { propertyRuns, propertyTimeout, sampled } from '../../helpers/cases.ts'
import { tool } from '../../helpers/plugins.ts'
import { ShippedForms } from '../../helpers/shipped-form.ts'
import { ARGUMENTS } from '../tool-schemas/schemas.ts'
import { assertSame, configsOf, hostOffering, KEY, someConfigs, titleOf } from './sent-tools.ts'

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

const SOME = someConfigs()

describe('the tools of a request', () => {
  let host: Host
  let schemas: readonly JsonObject[] = []
  before(async () => {
    host = await hostOffering(() => schemas)
  })
  after(() => host.close())

  for (const config of sampled(SOME, 2)) {
    it(`CL-46 are those that toolSchemas shows: ${titleOf(config)}`, async () => {
      schemas = AWKWARD
      await assertSame(host, config)
      await fc.assert(
        fc.asyncProperty(fc.array(ARGUMENTS, { minLength: 1, maxLength: 4 }), async (given) => {
          schemas = given
          await assertSame(host, config)
        }),
        { numRuns: propertyRuns(40, 10) },
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
    for (const config of SOME) {
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

/** The shipped tools, without those that come from packages of the user. */
function toolsIn({ plugins }: ShippedForms): readonly string[] {
  const tools = plugins.filter(({ kind, name }) => kind === 'tool' && name !== 'llm-tools')
  return tools.map(({ name }) => name)
}

describe('the tools of every shipped plugin', () => {
  let shipped: ShippedForms
  let host: Host
  before(async function () {
    this.timeout(propertyTimeout(30_000))
    shipped = await ShippedForms.make(this)
    host = await shipped.host()
  })
  after(async () => {
    await host?.close()
    await shipped?.remove()
  })

  for (const config of sampled(SOME, 4, 1)) {
    it(`CL-46 are sent as toolSchemas shows them: ${titleOf(config)}`, async () => {
      const root = import.meta.dirname
      const settings = { ...config.settings, files: { root }, 'search-docs': { root } }
      const names = toolsIn(shipped)
      const whole = { ...config, enabled_plugins: names, settings }
      expect(await assertSame(host, whole)).to.have.length.above(names.length)
    })
  }

  it('CL-46 are in no request to smollm, whose model cannot choose tools', async () => {
    const tools = [{ name: 'mine', description: 'Acts', input_schema: OPTIONAL }]
    for (const tool_choice of [undefined, 'none'] as const) {
      const config = { provider: 'smollm', ...(tool_choice ? { tool_choice } : {}) }
      const { native } = await host.dryRun(config, 'Hello', { tools })
      expect(native).to.not.have.any.keys('tools', 'tool_names', 'grammar')
      expect(JSON.stringify(native)).to.not.include('mine')
    }
  })

  it('CL-46 are told to smollm as toolSchemas shows them where a call is demanded', async () => {
    const names = toolsIn(shipped)
    const root = import.meta.dirname
    const settings = { files: { root }, 'search-docs': { root } }
    const demanding = { provider: 'smollm', tool_choice: 'required' as const, settings }
    const config = { ...demanding, enabled_plugins: names }
    const tools = AWKWARD.map((input_schema, at) => {
      return { name: `own${at}`, description: 'Acts', input_schema }
    })
    const shown = await host.toolSchemas(config, { for: 'provider', tools })
    expect(shown).to.have.length.above(names.length + tools.length)
    const { native } = await host.dryRun(config, 'Hello', { tools })
    expect(toldBy(native)).to.deep.equal(
      shown.map(({ name, description, input_schema }) => {
        return { name, description, arguments: input_schema }
      }),
    )
    expect(native).to.deep.include({ tool_names: shown.map(({ name }) => name) })
  })
})

/** The tools in the system message of a request to smollm, a line each. */
function toldBy(native: unknown): unknown {
  const { messages } = native as { readonly messages: readonly { readonly content: string }[] }
  const lines = (messages[0]?.content ?? '').split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as unknown)
}
