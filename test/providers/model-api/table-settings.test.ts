import { expect } from 'chai'
import { type HttpApi, httpProvider, schemaOf, text } from '../../../providers/model-api/index.ts'
import { type ConfigLayer, createHost } from '../../../src/core/index.ts'
import type { JsonObject } from '../../../src/plugin/index.ts'
import { errorOf, extension } from '../../helpers/plugins.ts'
import { LOOM, loom } from './loom.ts'

const KEY = 'sk-loom-0123456'

type Schemas = { readonly [name: string]: JsonObject }

const schemasOf = (changes: Partial<HttpApi> = {}): Schemas => {
  const { properties } = loom(changes).configSchema as JsonObject
  return properties as Schemas
}

describe('the built-in settings of a table', () => {
  const settings = {
    api_key: { type: 'string', title: 'Company key' },
    base_url: { title: 'Gateway', description: 'Of the company' },
    max_retries: { default: 5 },
    temperature: { default: 0.5, title: 'Heat', 'x-i18n': { de: { title: 'Hitze' } } },
    warp: { type: 'integer', title: 'Warp' },
  }

  it('get the words of the table, and keep everything else', () => {
    const own = schemasOf({ settings })
    const { api_key: key, base_url: address, temperature, max_retries: retries } = schemasOf()
    const { 'x-i18n': _key, ...keyRest } = key ?? {}
    const { 'x-i18n': _address, ...addressRest } = address ?? {}
    expect(own['api_key']).to.deep.equal({ ...keyRest, title: 'Company key' })
    expect(own['base_url']).to.deep.equal({
      ...addressRest,
      title: 'Gateway',
      description: 'Of the company',
    })
    expect(own['max_retries']).to.deep.equal({ ...retries, default: 5 })
    expect(own['temperature']).to.deep.include({ type: 'number', title: 'Heat', default: 0.5 })
    expect(own['temperature']?.['x-i18n']).to.have.nested.property('de.title', 'Hitze')
    expect(temperature).to.include({ title: 'Temperature' }).and.not.have.property('default')
    expect(Object.keys(own)).to.have.members(Object.keys(schemasOf()))
  })

  it('stay secrets for forms, texts and other plugins', async () => {
    const seen: unknown[] = []
    const spy = extension('spy', {
      editMessages: (messages: unknown, _state: unknown, { config }: { config: JsonObject }) => {
        seen.push(config['settings'])
        return messages
      },
    })
    await using host = await createHost({
      plugins: [loom({ settings }), spy],
      config: { settings: { loom: { api_key: KEY } } },
    })
    await host.dryRun({}, 'Hi')
    const { data, sections } = await host.uiSchema()
    expect(JSON.stringify([seen, data])).to.not.include(KEY)
    expect(sections.find(({ plugin }) => plugin === 'loom')?.secretsSet).to.deep.equal([
      '/settings/loom/api_key',
    ])
    expect(host.maskTexts(`the key ${KEY}`)).to.not.include(KEY)
  })

  it('have the default of the table below that of the config', async () => {
    const request: HttpApi['request'] = ({ sampling, settings: given }) => ({ sampling, given })
    await using host = await createHost({ plugins: [loom({ settings, request })] })
    const loomed = { settings: { loom: { api_key: KEY } } }
    const bodyOf = async (config: ConfigLayer) =>
      (await host.dryRun(config, 'Hi')).native as JsonObject
    const plain = await bodyOf(loomed)
    expect(plain).to.have.nested.property('sampling.temperature', 0.5)
    expect(plain).to.not.have.nested.property('given.temperature')
    const warm = await bodyOf({ ...loomed, temperature: 1 })
    expect(warm).to.have.nested.property('sampling.temperature', 1)
  })

  // `npm run types` is the test of the expected errors.
  it('are refused with other changes by the types too', async () => {
    const { name, title, variable, baseUrl, path, models } = LOOM
    const request = () => ({})
    const table = { name, title, variable, baseUrl, path, models, request, answer: () => [] }
    const wrong = [
      // @ts-expect-error The key is a text.
      () => httpProvider({ ...table, settings: { api_key: { type: 'integer' } } }),
      // @ts-expect-error The mark stays.
      () => httpProvider({ ...table, settings: { headers: { writeOnly: false } } }),
      // @ts-expect-error The limits stay.
      () => httpProvider({ ...table, settings: { temperature: { maximum: 9 } } }),
    ]
    for (const one of wrong) expect(await errorOf(one)).to.include({ code: 'OPTION_INVALID' })
    expect(
      httpProvider({ ...table, settings: { api_key: { type: 'string', title: 'Key of it' } } })
        .name,
    ).to.equal('loom')
  })

  it('keep their marks also in a provider that makes its schema by schemaOf', () => {
    const own = { api_key: text('Key of it'), base_url: text('Address'), proxy: text('Proxy') }
    expect(schemaOf(LOOM, own)['properties']).to.deep.include({
      api_key: { writeOnly: true, 'x-env': 'LOOM_KEY', type: 'string', title: 'Key of it' },
      base_url: { 'x-destination': true, type: 'string', title: 'Address' },
      proxy: { writeOnly: true, type: 'string', title: 'Proxy' },
    })
  })

  it('name a model, if the table has none and the API lists them', async () => {
    await using host = await createHost({ plugins: [loom({ models: {} })] })
    const config = { settings: { loom: { api_key: KEY } } }
    const error = await errorOf(host.dryRun(config, 'Hi'))
    expect(error).to.include({ code: 'MODEL_UNKNOWN', pointer: '/model' })
    expect(error.message).to.include('settings.loom.models')
    expect((await host.dryRun({ ...config, model: 'any' }, 'Hi')).native).to.include({
      model: 'any',
    })
  })
})
