import { expect } from 'chai'
import { z } from 'zod'
import { settingsFaults } from '../../../src/core/config/check-config.ts'
import { createHost } from '../../../src/core/index.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { tool } from '../../helpers/plugins.ts'

const KINDS = ['a', 'b'].map((kind) => ({
  properties: { kind: { const: kind } },
  required: ['kind'],
}))

const NEEDED: { readonly [title: string]: object } = {
  'one of several objects': { type: 'object', oneOf: KINDS },
  'any of several objects': { anyOf: KINDS },
  'several schemas at once': { allOf: [{ required: ['key'] }] },
  'a number of members': { type: 'object', minProperties: 1 },
  'a condition that an empty object meets': { if: { maxProperties: 0 }, then: false },
  'a definition': { $ref: '#/$defs/keyed', $defs: { keyed: { required: ['key'] } } },
  'a list': { type: 'array' },
  'a union of zod': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a') }),
    z.object({ kind: z.literal('b') }),
  ]),
  'a check that only zod knows': z
    .object({ key: z.string().optional() })
    .refine(({ key }) => key !== undefined, { message: 'a key is needed' }),
}

describe('a plugin without settings in the config', () => {
  for (const [title, configSchema] of Object.entries(NEEDED))
    it(`is refused where its schema needs ${title}`, async () => {
      for (const config of [{}, { settings: {} }, { settings: { t: {} } }]) {
        const [fault] = await settingsFaults(config, [tool('t', { configSchema })])
        expect(fault, JSON.stringify(config)).to.include({ code: 'SETTINGS_INVALID', plugin: 't' })
      }
    })

  it('is taken where its schema allows an empty object, and has the defaults of its library', async () => {
    const plugins = [
      tool('a', { configSchema: { anyOf: [...KINDS, { type: 'object' }] } }),
      tool('b', { configSchema: z.object({ n: z.number().default(3) }) }),
      tool('c', { configSchema: { type: ['object', 'null'] } }),
      tool('d', { configSchema: {} }),
    ]
    expect(await settingsFaults({}, plugins)).to.deep.equal([])
    let seen: unknown
    const configSchema = z.object({ n: z.number().default(3) })
    const feature = {
      kind: 'feature',
      name: 'f',
      configSchema,
      editMessages(messages: unknown, _state: unknown, { settings }: { settings: object }) {
        seen = settings
        return messages
      },
    }
    const host = await createHost({ plugins: [textProvider(), feature] as never })
    await host.send({}, 'go')
    await host.close()
    expect(seen).to.deep.equal({ n: 3 })
  })

  it('is not checked while it is off', async () => {
    const off = tool('t', { configSchema: { minProperties: 1 }, defaultEnabled: false })
    const host = await createHost({ plugins: [textProvider(), off] })
    const { messages } = await host.send({}, 'go')
    await host.close()
    expect(messages).to.have.length(1)
  })
})
