import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { shippedPlugins } from '../../../scripts/shipped-plugins.ts'
import { createHost } from '../../../src/core/index.ts'
import { type HostOfAll, hostOfAll } from '../../helpers/shipped-form.ts'
import { ROOT } from '../../helpers/source-files.ts'

interface Named {
  readonly name: string
}

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

  it('are under a title in German, which the manifest of their plugin has', async () => {
    const folders = ['tools/clock', 'tools/ask-user', 'extensions/smooth-stream']
    const plugins = ['providers/scripted', ...folders].map((folder) => join(ROOT, folder))
    const host = await createHost({ plugins, config: { provider: 'scripted' } })
    try {
      const { sections } = await host.uiSchema({}, { locale: 'de-CH' })
      const german = new Map(sections.map((section) => [section.plugin, section]))
      const description = 'Datum und Uhrzeit, hier und in anderen Zeitzonen'
      expect(german.get('clock')).to.include({ title: 'Uhr', description })
      expect(german.get('ask-user')).to.include({ title: 'Rückfragen' })
      expect(german.get('smooth-stream')).to.include({ title: 'Gleichmäßiger Text' })
    } finally {
      await host.close()
    }
  })

  it('are of plugins of which each has a title and a description in German', async () => {
    for (const { folder, name } of await shippedPlugins()) {
      const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8')
      const { braidwork } = JSON.parse(text) as { braidwork: { plugins: (Translated & Named)[] } }
      const { 'x-i18n': words } = braidwork.plugins.find((one) => one.name === name) ?? {}
      expect(words?.de, name).to.have.all.keys('title', 'description')
    }
  })

  for (const provider of ['scripted', 'openai', 'anthropic', 'openai-compatible', 'smollm'])
    it(`have a title each, and the host’s: ${provider}`, async () => {
      const { host, config } = shipped
      const { uischema } = await host.uiSchema({ ...config, provider })
      expect(untitledIn(uischema)).to.deep.equal([])
    })
})
