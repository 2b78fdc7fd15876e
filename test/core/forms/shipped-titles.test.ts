import { expect } from 'chai'
import { shippedPlugins } from '../../../scripts/shipped-plugins.ts'
import { type HostOfAll, hostOfAll } from '../../helpers/shipped-form.ts'

interface Translated {
  readonly description?: string
  readonly 'x-i18n'?: { readonly de?: { readonly title?: string; readonly description?: string } }
}

/** Settings whose titles are the same in German. */
const SAME: ReadonlySet<string> = new Set(['api', 'preset', 'top_p', 'top_k'])

function isUntranslated([key, schema]: [string, Translated]): boolean {
  const { title, description } = schema['x-i18n']?.de ?? {}
  const isTitled = title !== undefined || SAME.has(key)
  return !isTitled || (schema.description !== undefined && description === undefined)
}

const TYPED = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']

/** Scopes of controls that have no title in the schema, and so a label made of their names. */
function untitledIn(element: unknown): readonly string[] {
  if (typeof element !== 'object' || element === null) return []
  if ('scope' in element && 'label' in element) return [String(element.scope)]
  return 'elements' in element && Array.isArray(element.elements)
    ? element.elements.flatMap(untitledIn)
    : []
}

describe('the settings of all shipped plugins', () => {
  let shipped: HostOfAll
  before(async function () {
    this.timeout(60_000)
    shipped = await hostOfAll(this)
  })
  after(() => shipped?.close())

  it('have a title and a type each, also those of providers that are not in use', async () => {
    for (const { name, plugin } of await shippedPlugins()) {
      const { properties = {} } = (plugin.configSchema ?? {}) as { properties?: object }
      for (const [key, schema] of Object.entries(properties)) {
        expect(schema, `${name}.${key}`).to.have.property('title').which.matches(/^\S.+/)
        expect(schema, `${name}.${key}`).to.have.any.keys(...TYPED)
      }
    }
  })

  it('have a title in German too, and what they explain', async () => {
    for (const { name, plugin } of await shippedPlugins()) {
      const { properties = {} } = (plugin.configSchema ?? {}) as { properties?: object }
      const untranslated = Object.entries(properties).filter(isUntranslated)
      expect(untranslated, name).to.deep.equal([])
    }
  })

  for (const provider of ['scripted', 'openai', 'anthropic', 'openai-compatible', 'smollm'])
    it(`have a title each, and the host’s: ${provider}`, async () => {
      const { host, config } = shipped
      const { uischema } = await host.uiSchema({ ...config, provider })
      expect(untitledIn(uischema)).to.deep.equal([])
    })
})
