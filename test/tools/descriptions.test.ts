import { expect } from 'chai'
import { isObject } from '../../src/plugin/index.ts'
import calculator from '../../tools/calculator/index.ts'
import clock from '../../tools/clock/index.ts'
import fetchPage from '../../tools/fetch/index.ts'
import files from '../../tools/files/index.ts'
import searchDocs from '../../tools/search-docs/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'

/** All descriptions in a schema, by their place. */
function descriptionsIn(value: unknown, place = ''): [place: string, description: unknown][] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'description' && place.split('/').at(-1) !== 'properties'
      ? [[place, member] as [string, unknown]]
      : descriptionsIn(member, `${place}/${key}`),
  )
}

describe('the shipped tools', () => {
  it('describe themselves and their parameters to the model', async () => {
    const host = await scriptedHost([calculator, clock, fetchPage, files, searchDocs], {
      enabled_plugins: ['calculator', 'clock', 'fetch', 'files', 'search-docs'],
      settings: {
        fetch: { methods: ['GET', 'POST'] },
        files: { root: '.', write: true },
        'search-docs': { root: '.' },
      },
    })
    const schemas = await host.toolSchemas()
    expect(schemas.length).to.be.at.least(8)
    for (const schema of schemas) {
      const descriptions = descriptionsIn(schema)
      expect(descriptions.length, schema.name).to.be.at.least(1)
      for (const [place, text] of descriptions) {
        expect(text, `${schema.name}${place}`).to.match(/^[A-Z].{8,}/)
      }
    }
    for (const schema of schemas) {
      const { properties = {} } = schema.output_schema ?? {}
      for (const [name, inner] of Object.entries(properties as object)) {
        expect(inner, `${schema.name}: ${name}`).to.have.any.keys('type', 'enum', 'anyOf')
      }
    }
    await host.close()
  })
})
