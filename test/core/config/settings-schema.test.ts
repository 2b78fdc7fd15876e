import { type } from 'arktype'
import { expect } from 'chai'
import { z } from 'zod'
import { settingsSchemaOf } from '../../../src/core/config/settings-schema.ts'
import { createHost } from '../../../src/core/index.ts'
import type { Extension } from '../../../src/plugin/index.ts'
import { errorOf, extension, provider } from '../../helpers/plugins.ts'

const zod = z.object({
  key: z.string().meta({ writeOnly: true, 'x-env': 'ZOD_KEY', title: 'Key' }).optional(),
  size: z.number().int().min(1).default(3),
  mode: z.enum(['fast', 'good']).optional(),
})
const ark = type({ 'size?': '1 <= number.integer <= 9', 'mode?': "'fast' | 'good'" })

describe('the schema of settings', () => {
  it('is taken from the schema of a library, by types and at run time', async () => {
    const plugins = [
      { kind: 'extension', name: 'zod', configSchema: zod },
      { kind: 'extension', name: 'ark', configSchema: ark },
    ] satisfies Extension[]
    await using host = await createHost({ plugins: [provider('p'), ...plugins] })
    const settings = { zod: { key: 'open-sesame', mode: 'good' }, ark: { size: 4 } }
    const { schema, data, sections, diagnostics } = await host.uiSchema({ settings })
    expect(diagnostics).to.deep.equal([])
    expect(data['settings']).to.deep.equal({
      p: {},
      zod: { size: 3, mode: 'good' },
      ark: { size: 4 },
    })
    expect(sections.find(({ plugin }) => plugin === 'zod')?.secretsSet).to.deep.equal([
      '/settings/zod/key',
    ])
    expect(JSON.stringify(schema)).to.include('"title":"Key"').and.not.include('sesame')
  })

  it('checks a request by it', async () => {
    await using host = await createHost({
      plugins: [
        provider('p'),
        extension('zod', { configSchema: zod }),
        extension('ark', { configSchema: ark }),
      ],
    })
    for (const settings of [
      { zod: { size: 0 } },
      { zod: { mode: 'bad' } },
      { ark: { size: 10 } },
    ]) {
      const error = await errorOf(host.send({ settings }, 'hi'))
      expect(error, JSON.stringify(settings)).to.include({ code: 'SETTINGS_INVALID' })
    }
  })

  it('is the same object for the same schema of a library', () => {
    const plugin = extension('zod', { configSchema: zod })
    expect(settingsSchemaOf(plugin)).to.equal(settingsSchemaOf(plugin))
  })

  for (const [what, configSchema, says] of [
    [
      'says no JSON Schema',
      { '~standard': { version: 1, vendor: 'old' } },
      'cannot export a JSON Schema',
    ],
    ['cannot say it', z.object({ at: z.date() }), 'cannot be exported as JSON Schema: '],
    [
      'says something else',
      { '~standard': { jsonSchema: { input: () => 'object' } } },
      'not a JSON Schema',
    ],
  ] as const) {
    it(`is refused of a library that ${what}`, () => {
      expect(() => settingsSchemaOf(extension('e', { configSchema })))
        .to.throw(says)
        .with.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'e', hook: 'configSchema' })
    })
  }
})
