import { type } from 'arktype'
import { expect } from 'chai'
import { z } from 'zod'
import { givenSettings } from '../../../src/core/config/given-settings.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import type { Context } from '../../../src/plugin/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { caller, errorOf, extension, feature, provider, tool } from '../../helpers/plugins.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    mode: { $ref: '#/$defs/mode', default: 'fast' },
    words: { type: 'array', items: { properties: { weight: { default: 1 } } } },
    nested: { allOf: [{ properties: { deep: { default: [1] } } }] },
    optional: { type: 'string' },
  },
  $defs: { mode: { enum: ['fast', 'good'] } },
}

const plain = extension('e', { configSchema: SCHEMA })
const given = (settings?: { readonly [key: string]: unknown }) =>
  givenSettings(plain, settings ? { settings: { e: settings } } : {})

describe('the settings that a plugin is given', () => {
  it('have the defaults of its schema: behind references, in lists and in objects that are set', () => {
    expect(given()).to.deep.equal({ mode: 'fast' })
    expect(given({ words: [{}, { weight: 2 }], nested: {} })).to.deep.equal({
      mode: 'fast',
      words: [{ weight: 1 }, { weight: 2 }],
      nested: { deep: [1] },
    })
  })

  it('have a member of any name', () => {
    const text = '{"properties": {"__proto__": {"default": "own"}}}'
    const odd = extension('e', { configSchema: JSON.parse(text) })
    expect(JSON.stringify(givenSettings(odd, {}))).to.equal('{"__proto__":"own"}')
  })

  it('leave the config and the schema as they are, and are made once for the same settings', () => {
    const settings = { nested: {} }
    const config = { settings: { e: settings } }
    const made = givenSettings(plain, config)
    expect(settings).to.deep.equal({ nested: {} })
    expect(givenSettings(plain, config)).to.equal(made)
    expect(() => (made['nested'] as { deep: number[] }).deep.push(2)).to.throw(TypeError)
  })

  it('are those of the config where the schema has no defaults, or there is none', () => {
    const settings = { word: 'hi' }
    expect(givenSettings(extension('e'), { settings: { e: settings } })).to.equal(settings)
  })

  it('end for a schema that refers to itself', () => {
    const loop = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }
    expect(givenSettings(extension('e', { configSchema: loop }), {})).to.deep.equal({})
  })

  it('are what the schema object of a library returns', () => {
    const zod = z.object({ at: z.string().transform(Number), size: z.int().default(3) })
    const ark = type({ size: 'number = 3' })
    const config = { settings: { zod: { at: '7' } } }
    expect(givenSettings(extension('zod', { configSchema: zod }), config)).to.deep.equal({
      at: 7,
      size: 3,
    })
    expect(givenSettings(extension('ark', { configSchema: ark }), {})).to.deep.equal({ size: 3 })
  })

  it('are those of a library that checks asynchronously, once they were checked', async () => {
    const size = z.number().transform(async (value) => value * 2)
    const { seen, host } = await hostOf({ configSchema: z.object({ size }) })
    await host.send({ settings: { e: { size: 4 } } }, 'hi')
    await host.close()
    expect(seen).to.deep.equal([{ size: 8 }])
  })
})

async function hostOf(members: object): Promise<{ seen: unknown[]; host: Host }> {
  const seen: unknown[] = []
  const editMessages = (messages: unknown, _state: unknown, { settings }: Context) => {
    seen.push(settings)
    return messages
  }
  const answer = caller('p', [{ role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }])
  const host = await createHost({ plugins: [answer, extension('e', { editMessages, ...members })] })
  return { seen, host }
}

describe('context.settings', () => {
  it('is there in the hooks of all kinds of plugins, and shows each its own', async () => {
    const seen: [string, unknown][] = []
    const note = (where: string) => ({
      init: (...args: unknown[]) => {
        seen.push([where, (args.at(-1) as Context).settings])
        return {}
      },
      configSchema: { type: 'object', properties: { level: { default: where } } },
    })
    const plugins: AnyPlugin[] = [
      caller('p', [{ role: 'assistant', parts: [] }], note('p')),
      extension('e', note('e')),
      feature('f', note('f')),
      tool('t', { ...note('t'), schemas: ['run'] }),
    ]
    await using host = await createHost({ plugins })
    await host.send({ settings: { f: { level: 'set' } } }, 'hi')
    expect(Object.fromEntries(seen)).to.deep.equal({
      p: { level: 'p' },
      e: { level: 'e' },
      f: { level: 'set' },
      t: { level: 't' },
    })
  })

  it('has its own secrets', async () => {
    const configSchema = { type: 'object', properties: { key: { writeOnly: true } } }
    const { seen, host } = await hostOf({ configSchema })
    await host.send({ settings: { e: { key: 'open-sesame' } } }, 'hi')
    await host.close()
    expect(seen).to.deep.equal([{ key: 'open-sesame' }])
  })

  it('makes a form depend on the settings that getUiElements reads, and on no others', async () => {
    const getUiElements = (_config: unknown, _input: unknown, { settings }: Context) => [
      { id: 'more', kind: 'setting', title: `More ${settings['of']}`, schema: { type: 'string' } },
    ]
    const configSchema = {
      type: 'object',
      properties: { of: { type: 'string', default: 'all' }, other: { type: 'string' } },
    }
    await using host = await createHost({
      plugins: [provider('p'), extension('e', { configSchema, getUiElements })],
    })
    const { schema, recomputeOn } = await host.uiSchema()
    expect(JSON.stringify(schema)).to.include('More all')
    expect(recomputeOn).to.include('/settings/e/of').and.not.include('/settings/e')
  })

  it('refuses what only the schema object of a library knows to be wrong, with its place', async () => {
    const range = z
      .object({ low: z.number(), high: z.number() })
      .refine(({ low, high }) => low < high, { message: 'low must be below high', path: ['low'] })
    const { seen, host } = await hostOf({ configSchema: z.object({ range }) })
    const error = await errorOf(
      host.send({ settings: { e: { range: { low: 2, high: 1 } } } }, 'hi'),
    )
    await host.close()
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/e/range/low' })
    expect(error?.message).to.include('low must be below high')
    expect(seen).to.deep.equal([])
  })
})
