import { expect } from 'chai'
import { neutral, withGerman } from '../../../providers/model-api/index.ts'
import type { JsonObject } from '../../../src/plugin/index.ts'
import { loom } from './loom.ts'

/** The translations of the settings of a provider with this setting `warp`. */
function translationsWith(warp: JsonObject): { readonly [setting: string]: unknown } {
  const { configSchema } = loom({ settings: { warp } })
  const { properties } = configSchema as { properties: { [name: string]: object } }
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, Object(schema)['x-i18n']]),
  )
}

describe('the German of settings', () => {
  it('keeps the translations that a schema has, in German and other languages', () => {
    const given = { de: { title: 'Hitze' }, fr: { title: 'Chaleur' } }
    const schema = neutral('Temperature', { type: 'number', 'x-i18n': given })
    expect(withGerman({ temperature: schema })['temperature']).to.have.deep.property('x-i18n', {
      de: {
        title: 'Hitze',
        description: 'Geht dem Wert vor, den die Konfiguration für alle Provider setzt',
      },
      fr: { title: 'Chaleur' },
    })
  })

  it('is that of the settings that providers share', () => {
    const { api_key, max_retries, temperature, body } = translationsWith({ type: 'integer' })
    expect(api_key).to.deep.equal({ de: { title: 'Schlüssel' } })
    expect(max_retries).to.deep.equal({ de: { title: 'Wiederholungen' } })
    expect(temperature).to.have.deep.nested.property('de.title', 'Temperatur')
    expect(body).to.have.nested.property('de.title').which.includes('unverändert')
  })

  it('leaves the settings of an author as they are', () => {
    expect(translationsWith({ title: 'Project' })).to.have.property('warp', undefined)
    const own = { de: { title: 'Kette' } }
    expect(translationsWith({ title: 'Seed', 'x-i18n': own }))
      .to.have.property('warp')
      .which.equals(own)
  })
})
