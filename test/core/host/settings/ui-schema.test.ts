import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { z } from 'zod'
import {
  type ConfigLayer,
  createHost,
  editConfig,
  type Host,
  type SettingsDocument,
} from '../../../../src/core/index.ts'
import type { JsonObject } from '../../../../src/plugin/index.ts'
import { propertyRuns, propertyTimeout } from '../../../helpers/cases.ts'
import { extension, feature, provider, schema, tool } from '../../../helpers/plugins.ts'
import { ShippedForms } from '../../../helpers/shipped-form.ts'

/** Each run compiles the whole schema in two drafts. */
const RUNS = propertyRuns(15, 2)
/** The same, where each takes long. */
const FEW_RUNS = propertyRuns(15, 3)

const withSettings = (properties: object, more: object = {}) => ({
  configSchema: { type: 'object', properties, ...more },
})

async function documentOf(
  plugins: readonly unknown[],
  config: ConfigLayer = {},
  options: { locale?: string } = {},
): Promise<SettingsDocument> {
  await using host = await createHost({ plugins: [provider('p'), ...plugins] })
  return await host.uiSchema(config, options)
}

function sectionOf({ sections }: SettingsDocument, plugin: string) {
  const section = sections.find((one) => one.plugin === plugin)
  return section ?? expect.fail(`no section of ${plugin}`)
}

function settingsIn({ data }: SettingsDocument, plugin: string): unknown {
  return (data['settings'] as { [plugin: string]: unknown })[plugin]
}

function scopesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'scope' in value && typeof value.scope === 'string' ? [value.scope] : []
  return [...own, ...Object.values(value).flatMap(scopesIn)]
}

function at(root: unknown, pointer: string): unknown {
  const keys = pointer.replace(/^#/, '').split('/').slice(1)
  return keys.reduce<unknown>(
    (value, key) =>
      (value as { [key: string]: unknown } | undefined)?.[
        key.replaceAll('~1', '/').replaceAll('~0', '~')
      ],
    root,
  )
}

/** What is wrong with a document, whatever it is of. */
function faultsOf(document: SettingsDocument): string[] {
  const plain = JSON.parse(JSON.stringify(document)) as SettingsDocument
  const faults: string[] = []
  if (JSON.stringify(plain) !== JSON.stringify(document)) faults.push('not plain JSON')
  for (const Draft of [Ajv, Ajv2020]) {
    const draft = new Draft({ strict: false, validateFormats: false })
    if (!draft.validateSchema(plain.schema)) faults.push(`no schema: ${draft.errorsText()}`)
    else if (!draft.validate(plain.schema, plain.data)) faults.push(`data: ${draft.errorsText()}`)
  }
  const scopes = scopesIn(plain.uischema)
  faults.push(...scopes.filter((scope) => at(plain.schema, scope) === undefined))
  for (const section of plain.sections) {
    if (section.schema !== undefined && at(plain.schema, section.schema) === undefined)
      faults.push(section.schema)
    if (section.category !== undefined && at(plain.uischema, section.category) === undefined)
      faults.push(section.category)
  }
  return faults
}

describe('host.uiSchema', () => {
  it('has a section for every plugin, and schema and category for those that are on', async () => {
    const on = extension('on', withSettings({ size: { type: 'integer', default: 3 } }))
    const off = feature('off', { requires: ['gone'], ...withSettings({ a: { type: 'string' } }) })
    const document = await documentOf([on, off])
    expect(document.sections.map(({ plugin, on }) => [plugin, on])).to.deep.equal([
      [undefined, true],
      ['p', true],
      ['on', true],
      ['off', false],
    ])
    expect(sectionOf(document, 'on')).to.include({
      schema: '/properties/settings/properties/on',
      category: '/elements/2',
    })
    expect(sectionOf(document, 'off')).to.include({
      rule: 'missing tags',
      why: 'something that it needs is missing',
    })
    expect(sectionOf(document, 'off')).not.to.have.any.keys('schema', 'category')
    expect(settingsIn(document, 'on')).to.deep.equal({ size: 3 })
    expect(document.uischema.elements.map(({ label }) => label)).to.deep.equal([
      'Model and answer',
      'P',
      'On',
    ])
  })

  it('offers the models and the providers as choices, and a switch for each other plugin', async () => {
    await using host = await createHost({
      plugins: [
        provider('p', { models: ['m1', 'm2'] }),
        provider('q'),
        tool('t'),
        extension('e', { defaultEnabled: false }),
      ],
    })
    const { schema: form, data } = await host.uiSchema({
      provider: 'p',
      model: 'own',
      disabled_plugins: ['t'],
    })
    expect(at(form, '/properties/provider/oneOf')).to.deep.equal([
      { const: 'p', title: 'P' },
      { const: 'q', title: 'Q' },
    ])
    expect(at(form, '/properties/model/enum')).to.deep.equal(['m1', 'm2', 'own'])
    expect(data).to.deep.include({ provider: 'p', model: 'own', switches: { t: false, e: false } })
  })

  it('never has a secret, and says which are set', async () => {
    const secret = extension(
      's',
      withSettings(
        { key: { type: 'string', writeOnly: true }, url: { type: 'string' } },
        { required: ['key'] },
      ),
    )
    await using host = await createHost({ plugins: [provider('p'), secret] })
    const document = await host.uiSchema({ settings: { s: { key: 'sk-sesame', url: 'u' } } })
    expect(JSON.stringify(document)).not.to.include('sesame')
    expect(settingsIn(document, 's')).to.deep.equal({ url: 'u' })
    expect(sectionOf(document, 's').secretsSet).to.deep.equal(['/settings/s/key'])
    expect(faultsOf(document)).to.deep.equal([])
    const control = {
      type: 'Control',
      scope: '#/properties/settings/properties/s/properties/key',
      label: 'Key',
      options: { format: 'password' },
    }
    expect(document.uischema.elements[2]?.elements[0]).to.deep.equal(control)
    expect((await host.uiSchema({})).sections[2]?.secretsSet).to.deep.equal([])
  })

  it('finds secrets behind references and in alternatives', async () => {
    const schemas = {
      $defs: { key: { type: 'string', writeOnly: true } },
      properties: {
        a: { $ref: '#/$defs/key' },
        b: { anyOf: [{ $ref: '#/$defs/key' }, { type: 'null' }] },
      },
    }
    const document = await documentOf(
      [extension('s', { configSchema: { type: 'object', ...schemas } })],
      {
        settings: { s: { a: 'sesame-1', b: 'sesame-2' } },
      },
    )
    expect(JSON.stringify(document)).not.to.include('sesame')
    expect(sectionOf(document, 's').secretsSet).to.deep.equal(['/settings/s/a', '/settings/s/b'])
  })

  it('treats what came from the environment as secret', async () => {
    process.env['BRAIDWORK_TEST_URL'] = 'http://sesame.example'
    const url = withSettings({
      url: { type: 'string' },
      urls: { type: 'array', items: { type: 'string' } },
    })
    await using host = await createHost({
      plugins: [provider('p'), extension('e', url)],
      config: {
        settings: {
          e: { url: '${env:BRAIDWORK_TEST_URL}', urls: ['a', '${env:BRAIDWORK_TEST_URL}/x'] },
        },
      },
    })
    const document = await host.uiSchema()
    delete process.env['BRAIDWORK_TEST_URL']
    expect(JSON.stringify(document)).not.to.include('sesame')
    expect(sectionOf(document, 'e').secretsSet).to.deep.equal([
      '/settings/e/url',
      '/settings/e/urls',
    ])
  })

  it('never has what a variable filled in, and no default or requirement in its place', async () => {
    const properties = {
      text: { type: 'string', 'x-env': 'BRAIDWORK_TEST_TEXT', default: 'plain' },
      port: { type: 'integer', 'x-env': 'BRAIDWORK_TEST_PORT', default: 80 },
      on: { type: 'boolean', 'x-env': 'BRAIDWORK_TEST_ON' },
      own: { type: 'integer', 'x-env': 'BRAIDWORK_TEST_PORT' },
      unset: { type: 'integer', 'x-env': 'BRAIDWORK_TEST_UNSET', default: 3 },
    }
    process.env['BRAIDWORK_TEST_TEXT'] = 'sesame'
    process.env['BRAIDWORK_TEST_PORT'] = '81234'
    process.env['BRAIDWORK_TEST_ON'] = 'true'
    await using host = await createHost({
      plugins: [provider('p'), extension('e', withSettings(properties, { required: ['on'] }))],
      config: { settings: { e: { own: 5 } } },
    })
    const document = await host.uiSchema()
    for (const name of ['TEXT', 'PORT', 'ON']) delete process.env[`BRAIDWORK_TEST_${name}`]
    expect(faultsOf(document)).to.deep.equal([])
    expect(document.diagnostics).to.deep.equal([])
    expect(settingsIn(document, 'e')).to.deep.equal({ own: 5, unset: 3 })
    const set = ['/settings/e/text', '/settings/e/port', '/settings/e/on']
    expect(sectionOf(document, 'e').secretsSet).to.deep.equal(set)
    const schema = at(document.schema, '/properties/settings/properties/e')
    expect(at(schema, '/required')).to.deep.equal([])
    expect(at(schema, '/properties/text')).to.deep.equal({ type: 'string' })
    expect(at(schema, '/properties/port')).to.deep.equal({ type: 'integer' })
    expect(at(schema, '/properties/unset')).to.deep.equal({ type: 'integer', default: 3 })
  })

  describe('of a choice', () => {
    const kinds = {
      source: {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { const: 'folder' }, path: { type: 'string' } },
            required: ['kind'],
          },
          {
            type: 'object',
            properties: { kind: { const: 'web' }, url: { type: 'string' } },
            required: ['kind'],
          },
        ],
      },
    }

    it('shows the branch that the present value takes, and asks again when it changes', async () => {
      const plugin = extension('e', withSettings(kinds))
      const folder = await documentOf([plugin])
      const web = await documentOf([plugin], {
        settings: { e: { source: { kind: 'web', url: 'u' } } },
      })
      const pointer = '/properties/settings/properties/e/properties/source/properties'
      expect(Object.keys(at(folder.schema, pointer) as object)).to.deep.equal(['kind', 'path'])
      expect(Object.keys(at(web.schema, pointer) as object)).to.deep.equal(['kind', 'url'])
      expect(at(web.schema, `${pointer}/kind/enum`)).to.deep.equal(['folder', 'web'])
      expect(settingsIn(web, 'e')).to.deep.equal({ source: { kind: 'web', url: 'u' } })
      expect(web.recomputeOn.some((read) => '/settings/e/source/kind'.startsWith(read))).to.equal(
        true,
      )
      expect([...faultsOf(folder), ...faultsOf(web)]).to.deep.equal([])
    })

    const objectOf = (properties: object, ...required: readonly string[]) => ({
      type: 'object',
      properties,
      required,
    })
    const file = (kind: object) => objectOf({ kind, path: { type: 'string' } }, 'kind', 'path')
    const web = (kind: object) => objectOf({ kind, url: { type: 'string' } }, 'kind', 'url')
    const signed = { kind: { const: 'web' }, url: { type: 'string' } }
    const [KEY, USER] = ['key', 'user'].map((by) =>
      objectOf({ ...signed, by: { const: by }, [by]: { type: 'string' } }, 'kind', 'by', by),
    )
    const tagged = [file({ const: 'file' }), web({ const: 'web' })]
    /** Unions, and settings of a kind that lack what the kind requires, with the members that its form shows. */
    const UNFINISHED: {
      readonly [what: string]: readonly [union: object, settings: object, ...shown: string[]]
    } = {
      'a constant of "oneOf"': [{ oneOf: tagged }, { kind: 'web' }, 'kind', 'url'],
      'a constant of "anyOf"': [{ anyOf: tagged }, { kind: 'web' }, 'kind', 'url'],
      'an enum of one value': [
        { oneOf: [file({ enum: ['file'] }), web({ enum: ['web'] })] },
        { kind: 'web' },
        'kind',
        'url',
      ],
      'an enum of several values': [
        { oneOf: [file({ enum: ['file', 'dir'] }), web({ enum: ['http', 'https'] })] },
        { kind: 'https' },
        'kind',
        'url',
      ],
      'a constant, with members of another kind': [
        { oneOf: tagged },
        { kind: 'web', path: 'a' },
        'kind',
        'url',
      ],
      'a constant in a union within the union': [
        { anyOf: [{ oneOf: tagged }, { type: 'null' }] },
        { kind: 'web' },
        'kind',
        'url',
      ],
      'a constant in one of several unions within the union': [
        { anyOf: [{ oneOf: [tagged[0]] }, { anyOf: [tagged[1]] }] },
        { kind: 'web' },
        'kind',
        'url',
      ],
      'a constant behind references': [
        { oneOf: [{ $ref: '#/$defs/file' }, { $ref: '#/$defs/web' }] },
        { kind: 'web' },
        'kind',
        'url',
      ],
      'a constant beside a plain type': [
        { anyOf: [{ type: 'string' }, ...tagged] },
        { kind: 'web' },
        'kind',
        'url',
      ],
      'two constants, of which several share one': [
        { oneOf: [tagged[0], KEY, USER] },
        { kind: 'web', by: 'user' },
        'kind',
        'url',
        'by',
        'user',
      ],
      'a constant that several share, and the members that are set': [
        { oneOf: [tagged[0], KEY, USER] },
        { kind: 'web', user: 'me' },
        'kind',
        'url',
        'by',
        'user',
      ],
      'the members that are set': [
        { oneOf: [objectOf({ path: {} }, 'path'), objectOf({ url: {}, depth: {} }, 'url')] },
        { depth: 1 },
        'url',
        'depth',
      ],
    }
    for (const [what, [union, source, ...members]] of Object.entries(UNFINISHED)) {
      it(`shows the branch that the present value is meant for by ${what}`, async () => {
        const $defs = { file: tagged[0], web: tagged[1] }
        const configSchema = { type: 'object', properties: { source: union }, $defs }
        const document = await documentOf([extension('e', { configSchema })], {
          settings: { e: { source } },
        })
        const pointer = '/properties/settings/properties/e/properties/source/properties'
        expect(Object.keys(at(document.schema, pointer) as object)).to.deep.equal(members)
        expect(faultsOf(document)).to.deep.equal([])
      })
    }

    it('offers the kinds of all branches that are objects, and shows the one that is chosen', async () => {
      const unions = {
        plain: { anyOf: [{ type: 'string' }, ...tagged] },
        nested: { anyOf: [{ oneOf: [tagged[0]] }, { oneOf: [tagged[1]] }] },
        enums: { oneOf: [file({ enum: ['file'] }), web({ enum: ['web'] })] },
      }
      for (const [what, union] of Object.entries(unions)) {
        const plugin = extension('e', withSettings({ source: union }))
        const config = { settings: { e: { source: { kind: 'file', path: 'a' } } } }
        const form = await documentOf([plugin], config)
        const kinds = at(form.schema, '/properties/settings/properties/e/properties/source')
        expect(at(kinds, '/properties/kind/enum'), what).to.deep.equal(['file', 'web'])
        const data = {
          ...form.data,
          settings: { p: {}, e: { source: { kind: 'web', path: 'a' } } },
        }
        const edited = editConfig(config, form, data)
        expect(edited, what).to.deep.equal({ settings: { e: { source: { kind: 'web' } } } })
      }
    })

    it('offers further kinds of a kind that several branches share', async () => {
      const plugin = extension('e', withSettings({ source: { oneOf: [tagged[0], KEY, USER] } }))
      const edited = async (source: object, changed: object) => {
        const config = { settings: { e: { source } } }
        const form = await documentOf([plugin], config)
        const data = { ...form.data, settings: { p: {}, e: { source: changed } } }
        const after = editConfig(config, form, data)
        const next = await documentOf([plugin], after)
        const { properties } = at(
          next.schema,
          '/properties/settings/properties/e/properties/source',
        ) as { properties: object }
        return { settings: after.settings, shown: Object.keys(properties) }
      }
      const file = { kind: 'file', path: 'a' }
      expect(await edited(file, { ...file, kind: 'web' })).to.deep.equal({
        settings: { e: { source: { kind: 'web' } } },
        shown: ['kind', 'url', 'by', 'key'],
      })
      const key = { kind: 'web', url: 'u', by: 'key', key: 'k' }
      const user = { kind: 'web', url: 'u', by: 'user' }
      expect(await edited(key, { ...key, by: 'user' })).to.deep.equal({
        settings: { e: { source: user } },
        shown: ['kind', 'url', 'by', 'user'],
      })
      expect(await edited({ ...user, user: 'me' }, { ...user, kind: 'file' })).to.deep.equal({
        settings: { e: { source: { kind: 'file' } } },
        shown: ['kind', 'path'],
      })
    })

    it('takes a value or null as the value', async () => {
      const plugin = extension(
        'e',
        withSettings({ name: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } }),
      )
      const document = await documentOf([plugin])
      expect(
        at(document.schema, '/properties/settings/properties/e/properties/name'),
      ).to.deep.include({ type: 'string' })
      expect(faultsOf(document)).to.deep.equal([])
    })

    it('offers all fixed values of one type, also beside null, another type and further unions', async () => {
      const red = { const: 'r', title: 'Red' }
      const green = { const: 'g', title: 'Green' }
      const none = { type: 'null' }
      const properties = {
        color: { title: 'Color', oneOf: [red, green, none], default: 'g' },
        plain: { anyOf: [{ const: 'r' }, none, { const: 'g' }, { enum: ['b', 'r'] }] },
        nested: { anyOf: [{ anyOf: [red, none] }, green] },
        other: { anyOf: [{ const: 'auto' }, { const: 'off' }, { type: 'number' }] },
        free: { anyOf: [{ const: 'auto' }, { const: 'off' }, { type: 'string', maxLength: 4 }] },
        zod: z.toJSONSchema(z.union([z.literal('r'), z.literal('g'), z.null()])),
      }
      const shownFor = async (settings?: object) => {
        const config = settings ? { settings: { e: settings as JsonObject } } : {}
        const document = await documentOf([extension('e', withSettings(properties))], config)
        expect(faultsOf(document)).to.deep.equal([])
        expect(document.diagnostics).to.deep.equal([])
        return at(document.schema, '/properties/settings/properties/e/properties') as JsonObject
      }
      const first = await shownFor()
      expect(first).to.deep.include({
        color: { title: 'Color', default: 'g', type: 'string', oneOf: [red, green] },
        plain: { type: 'string', enum: ['r', 'g', 'b'] },
        nested: { type: 'string', oneOf: [red, green] },
        other: { type: 'string', enum: ['auto', 'off'] },
        free: { type: 'string', enum: ['auto', 'off'] },
      })
      expect(first['zod']).to.deep.include({ type: 'string', enum: ['r', 'g'] })
      const second = await shownFor({ color: 'g', plain: 'g', nested: 'r', other: 7, free: 'zz' })
      const { color, plain, nested } = first
      expect(second).to.deep.include({ color, plain, nested, other: { type: 'number' } })
      expect(second['free']).to.deep.equal({ type: 'string', maxLength: 4 })
    })
  })

  it('hands back which of several kinds a value is, where that was shown by default', async () => {
    const branch = (kind: string, key: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [key]: { type: 'string' } },
      required: ['kind'],
    })
    const source = { oneOf: [branch('web', 'url'), branch('folder', 'path')] }
    const document = await documentOf([extension('e', withSettings({ source }))])
    const data = { ...document.data, settings: { p: {}, e: { source: { kind: 'web', url: 'u' } } } }
    expect(editConfig({}, document, data)).to.deep.equal({
      settings: { e: { source: { kind: 'web', url: 'u' } } },
    })
  })

  it('tells once of a wrong value of a required setting, and shows the others', async () => {
    const inner = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const properties = { a: { type: 'string' }, b: { type: 'string' }, inner }
    const plugin = extension('e', withSettings(properties, { required: ['a', 'inner'] }))
    const settings = { e: { a: 7, b: 'x', inner: { n: 'y' } } }
    const document = await documentOf([plugin], { settings })
    expect(settingsIn(document, 'e')).to.deep.equal({ b: 'x', inner: {} })
    expect(document.diagnostics.map(({ pointer }) => pointer)).to.have.members([
      '/settings/e/a',
      '/settings/e/inner/n',
    ])
    expect(faultsOf(document)).to.deep.equal([])
  })

  it('shows what stands in a branch of an "if" by a rule', async () => {
    const plugin = extension('e', {
      configSchema: {
        type: 'object',
        properties: { mode: { enum: ['local', 'remote'], default: 'local' } },
        if: { properties: { mode: { const: 'remote' } } },
        then: { properties: { url: { type: 'string' } }, required: ['url'] },
      },
    })
    const document = await documentOf([plugin])
    expect(document.uischema.elements[2]?.elements[1]).to.deep.equal({
      type: 'Control',
      scope: '#/properties/settings/properties/e/properties/url',
      label: 'URL',
      rule: {
        effect: 'SHOW',
        condition: {
          scope: '#/properties/settings/properties/e',
          schema: { properties: { mode: { const: 'remote', type: 'string' } } },
        },
      },
    })
    expect(faultsOf(document)).to.deep.equal([])
  })

  it('shows the settings of all parts of a schema that is joined from several', async () => {
    const url = { type: 'object', properties: { url: { type: 'string', title: 'Address' } } }
    const key = {
      type: 'object',
      properties: {
        key: { type: 'string', writeOnly: true },
        depth: { type: 'integer', default: 7 },
      },
      required: ['key'],
    }
    const own = { z: { type: 'string' } }
    const schemas = {
      parts: { allOf: [url, key] },
      beside: { type: 'object', properties: own, allOf: [url, key] },
      sole: {
        type: 'object',
        properties: own,
        allOf: [{ allOf: [url, { $ref: '#/$defs/key' }] }],
        $defs: { key },
      },
      reference: { properties: { ...own, ...url.properties }, $ref: '#/$defs/key', $defs: { key } },
    }
    for (const [title, configSchema] of Object.entries(schemas)) {
      const settings = { e: { url: 'u', key: 'sesame-open' } }
      const document = await documentOf([extension('e', { configSchema })], { settings })
      expect(settingsIn(document, 'e'), title).to.deep.equal({ url: 'u', depth: 7 })
      const { secretsSet, unshown } = sectionOf(document, 'e')
      expect([secretsSet, unshown], title).to.deep.equal([['/settings/e/key'], []])
      expect(JSON.stringify(document.uischema), title).to.include('/e/properties/url')
    }
    const nested = extension('e', withSettings({ n: { allOf: [url, key] } }))
    const document = await documentOf([nested], { settings: { e: { n: { url: 'u' } } } })
    expect(settingsIn(document, 'e')).to.deep.equal({ n: { url: 'u', depth: 7 } })
  })

  it('says which settings have no field because the parts of their schema contradict each other', async () => {
    const configSchema = {
      allOf: [
        {
          properties: {
            a: { type: 'integer', minimum: 1 },
            b: { enum: ['x', 'y'] },
            c: { type: 'string' },
          },
        },
        {
          properties: {
            a: { minimum: 3, maximum: 9 },
            b: { enum: ['y', 'z'] },
            c: { writeOnly: true },
          },
        },
      ],
    }
    const settings = { e: { a: 5, b: 'y', c: 'sesame-open' } }
    const document = await documentOf([extension('e', { configSchema })], { settings })
    const { unshown, secretsSet } = sectionOf(document, 'e')
    expect(unshown.map(({ pointer }) => pointer)).to.deep.equal(['/settings/e/b'])
    expect(unshown[0]?.reason).to.include('contradict each other')
    expect(secretsSet).to.deep.equal(['/settings/e/c'])
    const properties = at(document.schema, '/properties/settings/properties/e/properties')
    expect(properties).to.have.property('a').deep.equal({ type: 'integer', minimum: 3, maximum: 9 })
  })

  it('shows a union beside other settings, and says which settings of a second union it does not show', async () => {
    const kinds = (...names: string[]) => ({
      oneOf: names.map((name) => ({
        properties: { [`kind-${names[0]}`]: { const: name }, [name]: { type: 'string' } },
      })),
    })
    const base = { properties: { url: { type: 'string' } } }
    const configSchema = { type: 'object', allOf: [base, kinds('a', 'b'), kinds('c', 'd')] }
    const settings = { e: { url: 'u', 'kind-a': 'b', b: 'why', c: 'other' } }
    const document = await documentOf([extension('e', { configSchema })], { settings })
    expect(settingsIn(document, 'e')).to.deep.equal(settings.e)
    expect(sectionOf(document, 'e').unshown.map(({ pointer }) => pointer)).to.deep.equal(
      ['kind-c', 'c', 'd'].map((name) => `/settings/e/${name}`),
    )
  })

  it('lists the settings under free keys, and the secrets of them, and shows those beside them', async () => {
    const configSchema = {
      type: 'object',
      properties: { plain: { type: 'string' } },
      patternProperties: { _key$: { type: 'string', writeOnly: true } },
    }
    const settings = { e: { plain: 'p', my_key: 'sesame-open' } }
    const document = await documentOf([extension('e', { configSchema })], { settings })
    expect(settingsIn(document, 'e')).to.deep.equal({ plain: 'p' })
    const { secretsSet, unshown } = sectionOf(document, 'e')
    expect(secretsSet).to.deep.equal(['/settings/e/my_key'])
    expect(unshown.map(({ pointer }) => pointer)).to.deep.equal(['/settings/e/my_key'])
    expect(JSON.stringify(document)).to.not.include('sesame')
  })

  it('shows no default for a setting that is null, and writes the default where somebody enters it', async () => {
    const plugin = extension(
      'e',
      withSettings({
        n: { type: ['number', 'null'], default: 5 },
        e: { enum: ['a', 'b', null], default: 'a' },
        q: { anyOf: [{ type: 'string' }, { type: 'null' }], default: 'x' },
        o: { type: 'object', properties: { n: { type: ['number', 'null'], default: 5 } } },
      }),
    )
    const config = { settings: { e: { n: null, e: null, q: null, o: { n: null } } } }
    const document = await documentOf([plugin], config)
    expect(settingsIn(document, 'e')).to.deep.equal({ o: {} })
    expect(document.diagnostics).to.deep.equal([])
    const shown = at(document.schema, '/properties/settings/properties/e')
    expect(JSON.stringify(shown)).to.not.include('default')
    expect(editConfig(config, document, document.data)).to.deep.equal(config)
    const data = { ...document.data, settings: { e: { n: 5, e: 'a', q: 'x', o: { n: 5 } } } }
    expect(editConfig(config, document, data).settings).to.deep.equal(data.settings)
    const unset = await documentOf([plugin], {})
    expect(settingsIn(unset, 'e')).to.deep.equal({ n: 5, e: 'a', q: 'x', o: { n: 5 } })
  })

  it('says which settings have no field, and why', async () => {
    const plugin = extension(
      'e',
      withSettings({
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        any: {},
        'a.b': { type: 'string' },
        tree: { type: 'object', properties: { inner: { $ref: '#/properties/tree' } } },
      }),
    )
    const { unshown } = sectionOf(await documentOf([plugin]), 'e')
    expect(unshown.map(({ pointer, reason }) => [pointer, reason.split(':')[0]])).to.deep.equal([
      ['/settings/e/headers', 'freely chosen names'],
      ['/settings/e/any', 'any value'],
      ['/settings/e/a.b', 'its name has a dot'],
      ['/settings/e/tree/inner/inner', 'it contains itself'],
    ])
  })

  it('leaves values out that do not fit, with a diagnostic, and shows the rest', async () => {
    const plugin = extension(
      'e',
      withSettings(
        { size: { type: 'integer' }, name: { type: 'string', default: 'n' } },
        { additionalProperties: false },
      ),
    )
    const document = await documentOf([plugin], {
      settings: { e: { size: 'big', nmae: 'x' }, gone: { a: 1 } },
    })
    expect(settingsIn(document, 'e')).to.deep.equal({ name: 'n' })
    const found = document.diagnostics.map(({ code, pointer }) => [code, pointer])
    expect(found).to.deep.include(['SETTINGS_INVALID', '/settings/e/size'])
    expect(found).to.deep.include(['SETTINGS_UNUSED', '/settings/gone'])
    expect(faultsOf(document)).to.deep.equal([])
  })

  for (const [what, configSchema] of Object.entries({
    'no schema': { type: 'objekt' },
    'of another type': { type: 'string' },
    'no object': { properties: { a: 7 } },
    'an outside reference': { properties: { a: { $ref: 'file:///etc/passwd' } } },
    'too large': {
      properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, {}])),
    },
    'a function that throws': () => {
      throw new Error('no schema today')
    },
  })) {
    it(`keeps a plugin on whose schema is ${what}, with a diagnostic and no fields`, async () => {
      const document = await documentOf([
        extension('e', { configSchema }),
        tool('t', withSettings({ a: { type: 'string' } })),
      ])
      expect(sectionOf(document, 'e').on).to.equal(true)
      const found = document.diagnostics.find(({ plugin }) => plugin === 'e')
      expect(found).to.include({ level: 'error' })
      expect(found?.message).to.match(/settings of extension "e"/)
      expect(document.uischema.elements[2]?.elements).to.deep.equal([
        { type: 'Label', text: 'Its settings cannot be shown.' },
      ])
      expect(faultsOf(document)).to.deep.equal([])
    })
  }

  it('speaks the language that is asked for', async () => {
    const plugin = extension(
      'e',
      withSettings({ a: { type: 'string', 'x-i18n': { de: { title: 'Ort' } } } }),
    )
    const document = await documentOf([plugin], {}, { locale: 'de-AT' })
    expect(document.uischema.elements[0]?.label).to.equal('Modell und Antwort')
    expect(at(document.schema, '/properties/settings/properties/e/properties/a/title')).to.equal(
      'Ort',
    )
  })

  it('refuses a locale that is none', async () => {
    const error = await documentOf([], {}, { locale: 'not a tag' }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).to.include({ code: 'OPTION_INVALID' })
  })

  describe('with getUiElements', () => {
    const element = (more: object) => ({
      id: 'x',
      kind: 'setting',
      title: 'X',
      schema: { type: 'string' },
      ...more,
    })

    it('adds settings, with choices that the hook works out', async () => {
      const plugin = extension('e', {
        getUiElements: (
          _config: unknown,
          { models, tools }: { models: string[]; tools: { name: string }[] },
        ) => [
          element({
            schema: { type: 'string', enum: [...models, ...tools.map(({ name }) => name)] },
          }),
        ],
      })
      const document = await documentOf([plugin, tool('t', { schemas: ['look'] })])
      expect(at(document.schema, '/properties/settings/properties/e/properties/x')).to.deep.equal({
        type: 'string',
        enum: ['look'],
        title: 'X',
      })
      expect(scopesIn(document.uischema.elements[2])).to.deep.equal([
        '#/properties/settings/properties/e/properties/x',
      ])
    })

    it('offers a setting that the schema of its plugin does not name, and none without a valid schema', async () => {
      const closed = {
        type: 'object',
        properties: { known: { type: 'string' }, count: { type: 'number' } },
        additionalProperties: false,
      }
      const plugin = extension('e', {
        configSchema: closed,
        getUiElements: () => [
          element({ id: 'known' }),
          element({ id: 'broken', schema: { type: 'word' } }),
          element({ id: 'x' }),
        ],
      })
      const document = await documentOf([plugin])
      expect(document.diagnostics).to.have.length(1)
      expect(document.diagnostics[0]).to.deep.include({
        code: 'UI_ELEMENT_INVALID',
        plugin: 'e',
        pointer: '/1',
      })
      expect(document.diagnostics[0]?.message).to.include('not a JSON Schema')
      expect(at(document.schema, '/properties/settings/properties/e/properties')).to.have.keys(
        'known',
        'count',
        'x',
      )
    })

    it('leaves out a secret that the schema of its plugin does not name, as nobody could mask it', async () => {
      const secret = (id: string, mark: object) =>
        element({ id, schema: { type: 'string', ...mark } })
      const plugin = extension('e', {
        configSchema: {
          type: 'object',
          properties: { known: { type: 'string', writeOnly: true } },
        },
        getUiElements: () => [
          secret('known', { writeOnly: true }),
          secret('token', { writeOnly: true }),
          secret('named', { 'x-env': 'NAMED' }),
          element({ id: 'nested', schema: { properties: { key: { writeOnly: true } } } }),
        ],
      })
      const document = await documentOf([plugin])
      const faults = document.diagnostics.map(({ pointer, message }) => [pointer, message])
      expect(faults.map(([pointer]) => pointer)).to.deep.equal(['/1', '/2', '/3'])
      for (const [, message] of faults) expect(message).to.include('only "configSchema" may have')
      expect(at(document.schema, '/properties/settings/properties/e/properties')).to.have.keys(
        'known',
      )
    })

    it('lists actions with the plugin that does them', async () => {
      const actions = [
        element({ id: 'clear', kind: 'session-action', schema: undefined }),
        element({ id: 'pin', kind: 'message-action', action_owner: 'f' }),
      ]
      const document = await documentOf([
        extension('e', { getUiElements: () => actions }),
        feature('f', { runAction: () => 1 }),
      ])
      expect(sectionOf(document, 'e').actions).to.deep.equal([
        { id: 'clear', kind: 'session-action', title: 'X', plugin: 'e' },
        { id: 'pin', kind: 'message-action', title: 'X', schema: { type: 'string' }, plugin: 'f' },
      ])
    })

    it('leaves out elements that are none, and asks the others', async () => {
      const wrong = [
        null,
        element({ id: '' }),
        element({ kind: 'button' }),
        element({ schema: undefined }),
        element({ kind: 'session-action', action_owner: 'off' }),
      ]
      const document = await documentOf([
        extension('e', { getUiElements: () => [...wrong, element({})] }),
        extension('thrower', {
          getUiElements: () => {
            throw new Error('no elements')
          },
        }),
      ])
      const codes = document.diagnostics.map(({ code, plugin }) => `${plugin} ${code}`)
      expect(codes).to.deep.equal([
        ...wrong.map(() => 'e UI_ELEMENT_INVALID'),
        'thrower HOOK_FAILED',
      ])
      expect(settingsIn(document, 'e')).to.deep.equal({})
      expect(at(document.schema, '/properties/settings/properties/e/properties')).to.have.keys('x')
    })
  })

  describe('recomputeOn', () => {
    const reading = (
      read: (config: { settings?: { e?: { deep?: { a?: unknown } } }; seed?: number }) => unknown,
    ) => extension('e', { isEnabled: (config: object) => Boolean(read(config)) || true })

    it('has what hooks read, and not what they do not', async () => {
      const document = await documentOf([reading((config) => config.settings?.e?.deep?.a)], {
        settings: { e: { deep: { a: 1, b: 2 } } },
        seed: 1,
      })
      expect(document.recomputeOn).to.include('/settings/e/deep/a')
      expect(
        document.recomputeOn.filter((read) => read.startsWith('/seed') || read === ''),
      ).to.deep.equal([])
    })

    it('has all of it for a dump', async () => {
      const document = await documentOf([reading((config) => JSON.stringify(config))])
      expect(document.recomputeOn).to.deep.equal([''])
    })

    it('has all of it for a plugin that cannot read a view, which stays on', async () => {
      const document = await documentOf([reading((config) => structuredClone(config))], { seed: 1 })
      expect(sectionOf(document, 'e').on).to.equal(true)
      expect(document.recomputeOn).to.deep.equal([''])
      expect(document.diagnostics).to.deep.equal([])
    })

    it('has secrets, whose being set is shown', async () => {
      const document = await documentOf([
        extension('s', withSettings({ key: { type: 'string', writeOnly: true } })),
      ])
      expect(document.recomputeOn).to.include('/settings/s/key')
    })
  })

  describe('of all shipped plugins', function () {
    this.timeout(propertyTimeout(120_000))
    let host: Host
    let shipped: ShippedForms
    const secrets = {
      openai: { api_key: 'sk-open-sesame' },
      anthropic: { api_key: 'sk-ant-sesame' },
      'openai-compatible': { api_key: 'sk-or-sesame' },
    }

    before(async function () {
      shipped = await ShippedForms.make(this)
      host = await shipped.host()
    })
    after(async () => {
      await host?.close()
      await shipped?.remove()
    })

    const configs = (): fc.Arbitrary<ConfigLayer> => {
      const names = [...shipped.names]
      const ids = fc.subarray(names)
      return fc.record(
        {
          provider: fc.constantFrom(...shipped.providers),
          model: fc.constantFrom(
            'scripted-1',
            'scripted-mini',
            'gpt-4.1',
            'claude-haiku-4-5',
            'none-such',
          ),
          enabled_plugins: ids,
          disabled_plugins: ids,
          force_enabled_plugins: fc.subarray(names, { maxLength: 3 }),
          tool_choice: fc.constantFrom('auto' as const, 'required' as const),
          temperature: fc.double({ min: 0, max: 2, noNaN: true }),
          stop: fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 2 })),
          reasoning_effort: fc.constantFrom('low' as const, 'high' as const, 7),
          response_format: fc.constant({ type: 'json' as const }),
          settings: fc.constantFrom(
            secrets,
            { ...secrets, openai: { api_key: 'sk-open-sesame', api: 'chat', stop: ['x'] } },
            { redact: { rules: ['email'] }, files: { folder: '.' }, nowhere: { a: 1 } },
            { guard: { rules: 7 }, scripted: { delay_ms: 'soon', models: ['m'] } },
            {
              'word-filter': { words: ['damn'] },
              'doc-context': { folder: '.', max_pieces: 'all' },
              smollm: { threads: 2, context_window: 1 },
              'prompt-cache': { ttl: '1h' },
            },
          ),
        },
        { requiredKeys: ['provider'] },
      ) as fc.Arbitrary<ConfigLayer>
    }

    it('CL-01 is whole for any config: the categories are the plugins that are on, the data fits, no secret shows', async () => {
      await fc.assert(
        fc.asyncProperty(configs(), fc.constantFrom('en', 'de'), async (config, locale) => {
          const document = await host.uiSchema(config, { locale })
          const { provider: chosen, enabled } = await host.resolve(config)
          const categories = document.uischema.elements
            .slice(1)
            .map(({ options }) => options?.plugin)
          expect(categories).to.deep.equal([
            chosen,
            ...enabled.extensions,
            ...enabled.features,
            ...enabled.tools,
          ])
          expect(faultsOf(document)).to.deep.equal([])
          expect(JSON.stringify(document)).not.to.include('sesame')
        }),
        { numRuns: FEW_RUNS },
      )
    })

    it('does not change in sections and schema when a value outside of recomputeOn changes', async () => {
      let changed = 0
      await fc.assert(
        fc.asyncProperty(configs(), configs(), fc.nat(), async (config, other, pick) => {
          const { recomputeOn, sections, schema: form } = await host.uiSchema(config)
          const touches = (pointer: string) =>
            recomputeOn.some(
              (read) =>
                `${pointer}/`.startsWith(`${read}/`) || `${read}/`.startsWith(`${pointer}/`),
            )
          const keys = Object.keys(other).filter((key) => key !== 'settings' && !touches(`/${key}`))
          const key = keys[pick % Math.max(keys.length, 1)]
          if (key === undefined) return
          changed++
          const after = await host.uiSchema({ ...config, [key]: other[key] })
          expect({ sections: after.sections, schema: after.schema }, key).to.deep.equal({
            sections,
            schema: form,
          })
        }),
        { numRuns: RUNS },
      )
      expect(changed).to.be.above(0)
    })

    it('hands back a config of which the next document has what was filled in', async () => {
      const config: ConfigLayer = { provider: 'openai', enabled_plugins: ['redact'] }
      const document = await host.uiSchema(config)
      const data = {
        ...document.data,
        temperature: 0.5,
        switches: { ...(document.data['switches'] as object), redact: false, memory: true },
        settings: {
          ...(document.data['settings'] as object),
          openai: { api: 'chat', api_key: 'sk-new-sesame' },
        },
      }
      const edited = editConfig(config, document, data)
      expect(edited).to.deep.equal({
        provider: 'openai',
        temperature: 0.5,
        enabled_plugins: ['memory'],
        settings: { openai: { api: 'chat', api_key: 'sk-new-sesame' } },
      })
      const next = await host.uiSchema(edited)
      expect(next.data).to.deep.include({ temperature: 0.5 })
      expect(sectionOf(next, 'memory').on).to.equal(true)
      expect(sectionOf(next, 'redact').rule).to.equal('off by default')
      expect(sectionOf(next, 'openai').secretsSet).to.deep.equal(['/settings/openai/api_key'])
    })
  })

  it('tells categories of one title apart by the names of their plugins', async () => {
    const titled = { configSchema: { type: 'object', title: 'Search' } }
    const document = await documentOf([extension('a', titled), tool('b', titled)])
    const labels = document.uischema.elements.map(({ label }) => label)
    expect(labels.slice(2)).to.deep.equal(['Search (a)', 'Search (b)'])
  })

  it('says of a plugin whose settings have no field where they are set', async () => {
    const map = { type: 'object', additionalProperties: { type: 'string' } }
    const document = await documentOf([extension('e', withSettings({ map }))])
    expect(document.uischema.elements[2]?.elements).to.deep.equal([
      { type: 'Label', text: 'Its settings have no field: set them in the config.' },
    ])
  })

  it('has no field for a secret that is more than a text, alone, in a list or in a table', async () => {
    const secret = { type: 'string', writeOnly: true }
    const plugin = extension(
      'e',
      withSettings({
        pin: { type: 'integer', writeOnly: true },
        keys: { type: 'array', items: secret },
        servers: { type: 'array', items: { type: 'object', properties: { token: secret } } },
        choice: { enum: ['a', 'b'], writeOnly: true },
      }),
    )
    const settings = { e: { pin: 4711, keys: ['sesame'], servers: [{ token: 'sesame' }] } }
    const document = await documentOf([plugin], { settings })
    const { unshown, secretsSet } = sectionOf(document, 'e')
    const names = ['pin', 'keys', 'servers', 'choice']
    expect(unshown.map(({ pointer }) => pointer)).to.deep.equal(
      names.map((name) => `/settings/e/${name}`),
    )
    expect(secretsSet).to.deep.equal(['/settings/e/pin', '/settings/e/keys', '/settings/e/servers'])
    expect(JSON.stringify(document)).not.to.match(/sesame|4711/)
  })

  it('offers choices in the words that every renderer has a field for', async () => {
    const plugin = extension(
      'e',
      withSettings({
        titled: { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
        nullable: { enum: ['a', null] },
        sizes: { enum: [1, 2], description: 'Size' },
        either: { enum: [true, false] },
        mixed: { enum: ['a', 1] },
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { size: { oneOf: [{ const: 0.5, title: 'Half' }] } },
          },
        },
      }),
    )
    const document = await documentOf([plugin])
    const properties = at(document.schema, '/properties/settings/properties/e/properties')
    expect(properties).to.deep.include({
      titled: {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'b' },
        ],
      },
      nullable: { type: 'string', enum: ['a'] },
      sizes: { type: 'integer', description: 'Size (1, 2)', if: {}, then: { enum: [1, 2] } },
      either: { type: 'boolean' },
    })
    expect(at(properties, '/rows/items/properties/size')).to.deep.equal({
      type: 'number',
      description: '(0.5: Half)',
      if: {},
      then: { oneOf: [{ const: 0.5, title: 'Half' }] },
    })
    expect(sectionOf(document, 'e').unshown.map(({ pointer }) => pointer)).to.deep.equal([
      '/settings/e/mixed',
    ])
  })

  it('takes the schema of a tool plugin beside its tools', async () => {
    const document = await documentOf([
      tool('t', {
        getToolSchemas: () => [schema('x')],
        ...withSettings({ a: { type: 'boolean' } }),
      }),
    ])
    expect(sectionOf(document, 't').on).to.equal(true)
  })
})
