import { expect } from 'chai'
import { editLayer } from '../../../src/core/forms/index.ts'
import { type ConfigLayer, createHost, editConfig, type Host } from '../../../src/core/index.ts'
import { extension, provider } from '../../helpers/plugins.ts'

const text = { type: 'string' }

function kind(name: string, properties: object, more: object = {}) {
  const all = { kind: { const: name }, name: text, ...properties }
  return { type: 'object', properties: all, ...more }
}

/** A setting of three kinds, which share a name; one has a secret, one a group. */
const SOURCE = {
  oneOf: [
    kind('web', {
      url: text,
      depth: { type: 'integer', default: 2 },
      tags: { type: 'array', items: text },
    }),
    kind('folder', { path: text, inner: { type: 'object', properties: { deep: text } } }),
    kind('api', { url: text, key: { type: 'string', writeOnly: true } }, { required: ['kind'] }),
  ],
}

const GROUP = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 3 },
    list: { type: 'array', items: text, default: [] },
    more: { type: 'array', items: text },
    inner: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
    deep: text,
  },
}

const WHOLE = {
  type: 'object',
  default: { a: 'x', b: 'y' },
  properties: { a: text, b: text },
}

describe('editConfig, of what a form of all kinds of settings gave back,', () => {
  let host: Host
  before(async () => {
    const properties = {
      source: SOURCE,
      group: GROUP,
      whole: WHOLE,
      size: {
        anyOf: [text, { type: 'object', properties: { width: text, marks: { type: 'array' } } }],
      },
      list: { type: 'array', items: text },
    }
    host = await createHost({
      plugins: [
        provider('p'),
        extension('e', { configSchema: { type: 'object', properties } }),
        extension('on'),
        extension('off', { defaultEnabled: false }),
      ],
    })
  })
  after(() => host.close())

  /** The config after a form of it was filled in with these values, by path. */
  async function filled(config: ConfigLayer, values: { readonly [path: string]: unknown }) {
    const document = await host.uiSchema(config)
    const data = structuredClone(document.data)
    for (const [path, value] of Object.entries(values)) put(data, path.split('.'), value)
    return { document, data, edited: editConfig(config, document, data) }
  }

  function put(
    at: { [key: string]: unknown },
    [key = '', ...rest]: string[],
    value: unknown,
  ): void {
    const inner = { ...(at[key] as object) }
    at[key] = rest.length === 0 ? value : inner
    if (rest.length > 0) put(inner, rest, value)
  }

  const settings = (value: { readonly [key: string]: unknown }): ConfigLayer => ({
    settings: { e: value },
  })
  const source = (value: object): ConfigLayer => settings({ source: value })

  it('has a value of another type as the form gave it, with lists that are empty', async () => {
    const given = { width: 'wide', marks: [] }
    const { edited } = await filled(settings({ size: 'large' }), { 'settings.e.size': given })
    expect(edited).to.deep.equal(settings({ size: given }))
    const { edited: back } = await filled(edited, { 'settings.e.size': 'small' })
    expect(back).to.deep.equal(settings({ size: 'small' }))
  })

  const KINDS: readonly [string, object, string, object][] = [
    [
      'what the old kind alone has goes, what both have stays',
      { kind: 'web', name: 'n', url: 'u', depth: 4 },
      'folder',
      { kind: 'folder', name: 'n' },
    ],
    [
      'what only the new kind has as well stays',
      { kind: 'web', name: 'n', url: 'u' },
      'api',
      { kind: 'api', name: 'n', url: 'u' },
    ],
    [
      'a secret and a group go too, and what no kind knows stays',
      { kind: 'api', key: 'sk-sesame', own: 1 },
      'folder',
      { kind: 'folder', own: 1 },
    ],
    [
      'a group goes whole',
      { kind: 'folder', inner: { deep: 'd', own: 1 } },
      'web',
      { kind: 'web' },
    ],
    ['a kind by default is one', { url: 'u', depth: 1 }, 'folder', { kind: 'folder' }],
  ]
  for (const [what, before, to, after] of KINDS) {
    it(`of a setting that becomes one of another kind: ${what}`, async () => {
      const { edited } = await filled(source(before), { 'settings.e.source.kind': to })
      expect(edited).to.deep.equal(source(after))
      const next = await host.uiSchema(edited)
      expect(next.data).to.have.nested.property('settings.e.source.kind', to)
      expect(next.diagnostics).to.deep.equal([])
    })

    for (const format of ['jsonforms', 'rjsf', 'valves'] as const) {
      it(`in the form of ${format} as well: ${what}`, async () => {
        const view = await host.uiSchema(source(before), { format })
        if ('pointers' in view) {
          const [name = ''] =
            Object.entries(view.pointers).find(([, at]) => at.endsWith('source/kind')) ?? []
          const answer = { ...view.values, [name]: to }
          expect(editConfig(source(before), view, answer)).to.deep.equal(source(after))
          return
        }
        const data = structuredClone('formData' in view ? view.formData : view.data)
        put(data, ['settings', 'e', 'source', 'kind'], to)
        expect(editConfig(source(before), view, data)).to.deep.equal(source(after))
      })
    }
  }

  it('keeps all of a kind that stays, and says which it is where it was shown by default', async () => {
    const { edited } = await filled({}, { 'settings.e.source.url': 'u' })
    expect(edited).to.deep.equal(source({ kind: 'web', url: 'u' }))
  })

  it('writes of a group just what was changed, no default and no list that is empty beside it', async () => {
    const { edited } = await filled(
      {},
      {
        'settings.e.group.deep': 'd',
        'settings.e.group.more': [],
        'settings.e.list': [],
        stop: [],
      },
    )
    expect(edited).to.deep.equal(settings({ group: { deep: 'd' } }))
    expect((await host.uiSchema(edited)).data).to.have.deep.nested.property('settings.e.group', {
      size: 3,
      list: [],
      inner: { on: true },
      deep: 'd',
    })
  })

  it('writes a list that was emptied', async () => {
    const { edited } = await filled(settings({ list: ['a'] }), { 'settings.e.list': [] })
    expect(edited).to.deep.equal(settings({ list: [] }))
  })

  it('writes an object whole whose default is given whole', async () => {
    const { edited } = await filled({}, { 'settings.e.whole.a': 'z' })
    expect(edited).to.deep.equal(settings({ whole: { a: 'z', b: 'y' } }))
  })

  const SWITCHED: readonly [string, ConfigLayer, 'on' | 'off', boolean, ConfigLayer][] = [
    ['on by default, off', {}, 'on', false, { disabled_plugins: { add: ['on'] } }],
    ['on again', { disabled_plugins: { add: ['on'] } }, 'on', true, {}],
    [
      'on again, by a list',
      { disabled_plugins: ['on', 'x'] },
      'on',
      true,
      { disabled_plugins: ['x'] },
    ],
    ['off by default, on', {}, 'off', true, { enabled_plugins: { add: ['off'] } }],
    ['off again, by a list', { enabled_plugins: ['off'] }, 'off', false, { enabled_plugins: [] }],
    [
      'on, by lists that stand there empty',
      { enabled_plugins: { add: [], remove: [] }, disabled_plugins: { remove: [] } },
      'off',
      true,
      { enabled_plugins: { add: ['off'], remove: [] }, disabled_plugins: { remove: [] } },
    ],
    [
      'off again, of which a layer below may say more',
      { enabled_plugins: { add: ['off'], remove: ['x'] } },
      'off',
      false,
      { enabled_plugins: { remove: ['x'] }, disabled_plugins: { add: ['off'] } },
    ],
  ]
  for (const [what, config, name, on, expected] of SWITCHED) {
    it(`switches a plugin by as little as it takes: ${what}`, async () => {
      const { edited } = await filled(config, { [`switches.${name}`]: on })
      expect(edited).to.deep.equal(expected)
      const { data } = await host.uiSchema(edited)
      expect(data).to.have.nested.property(`switches.${name}`, on)
    })
  }

  it('switches a plugin on that a layer below disables, known or not', async () => {
    const config = { disabled_plugins: ['on'] }
    await using below = await createHost({ plugins: [provider('p'), extension('on')], config })
    const document = await below.uiSchema({})
    const data = { ...document.data, switches: { on: true } }
    const expected = { disabled_plugins: { remove: ['on'] } }
    expect(editConfig({}, document, data)).to.deep.equal(expected)
    expect(editLayer({}, { data: document.data }, data, config)).to.deep.equal({
      ...expected,
      enabled_plugins: { add: ['on'] },
    })
    expect((await below.uiSchema(expected)).data).to.have.nested.property('switches.on', true)
  })
})
