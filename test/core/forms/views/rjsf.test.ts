import { expect } from 'chai'
import { createHost } from '../../../../src/core/index.ts'
import { extension, provider } from '../../../helpers/plugins.ts'

type Values = { readonly [key: string]: unknown }

async function viewOf(configSchema: object, settings: Values = {}) {
  const plugin = extension('e', { configSchema })
  await using host = await createHost({ plugins: [provider('p'), plugin] })
  const view = await host.uiSchema({ settings: { e: settings } }, { format: 'rjsf' })
  const { properties } = view.schema as { properties: { settings: Schema } }
  const ui = view.uiSchema as { settings: { e: { [key: string]: unknown } } }
  return { view, schema: properties.settings.properties['e'], ui: ui.settings.e }
}

interface Schema {
  readonly properties: { readonly [name: string]: Schema }
}

const text = { type: 'string' }

describe('the settings for react-jsonschema-form', () => {
  it('show by a condition what the layout shows by a rule, in its place', async () => {
    const mode = { type: 'string', enum: ['local', 'remote'] }
    const remote = { properties: { mode: { const: 'remote' } }, required: ['mode'] }
    const { schema, ui } = await viewOf({
      type: 'object',
      properties: { mode },
      additionalProperties: false,
      allOf: [
        { if: remote, then: { properties: { url: text } }, else: { properties: { path: text } } },
      ],
    })
    const condition = { ...remote, properties: { mode: { const: 'remote', type: 'string' } } }
    expect(schema).to.deep.equal({
      type: 'object',
      properties: { mode },
      allOf: [
        { if: condition, then: { properties: { url: text } } },
        { if: { not: condition }, then: { properties: { path: text } } },
      ],
    })
    expect(ui).to.deep.include({ 'ui:order': ['mode', 'url', 'path', '*'] })
  })

  it('have the widgets and titles of the layout', async () => {
    const { ui } = await viewOf({
      type: 'object',
      title: 'Eee',
      properties: {
        key: { ...text, writeOnly: true },
        long: { ...text, maxLength: 1000, title: 'Long' },
        fixed: { ...text, readOnly: true },
        set: { type: 'array', items: { enum: ['a'] }, uniqueItems: true },
        some_list: { type: 'array', items: { enum: ['a'] } },
        group: { type: 'object', title: 'Group', properties: { inner: text } },
      },
    })
    expect(ui).to.deep.equal({
      'ui:title': 'Eee',
      key: { 'ui:title': 'Key', 'ui:widget': 'password', 'ui:autocomplete': 'new-password' },
      long: { 'ui:widget': 'textarea' },
      fixed: { 'ui:title': 'Fixed', 'ui:readonly': true },
      set: { 'ui:title': 'Set', 'ui:widget': 'checkboxes' },
      some_list: { 'ui:title': 'Some list' },
      group: { 'ui:title': 'Group', inner: { 'ui:title': 'Inner' } },
    })
  })

  it('have choices between numbers, which this form returns as numbers', async () => {
    const { schema, ui } = await viewOf({
      type: 'object',
      properties: {
        size: { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] },
        set: { type: 'array', items: { enum: [0.5, 1.5] }, uniqueItems: true },
      },
    })
    expect(schema?.properties).to.deep.equal({
      size: {
        type: 'integer',
        description: '(1: One, 2)',
        oneOf: [
          { const: 1, title: 'One' },
          { const: 2, title: '2' },
        ],
      },
      set: {
        type: 'array',
        items: { type: 'number', description: '(0.5, 1.5)', enum: [0.5, 1.5] },
        uniqueItems: true,
      },
    })
    expect(ui).to.deep.include({ set: { 'ui:title': 'Set', 'ui:widget': 'checkboxes' } })
  })

  it('have no field for what the layout has none for, and keep its value', async () => {
    const map = { type: 'object', additionalProperties: text }
    const { view, schema, ui } = await viewOf(
      { type: 'object', properties: { map }, required: ['map'] },
      { map: { a: 'b' } },
    )
    expect(schema).to.deep.equal({ type: 'object', properties: {} })
    expect(view.formData['settings']).to.deep.include({ e: { map: { a: 'b' } } })
    expect(ui['ui:description']).to.equal('Its settings have no field: set them in the config.')
  })

  it('need what the schema needs, of what is shown', async () => {
    const { schema } = await viewOf(
      { type: 'object', properties: { a: text, b: {} }, required: ['a', 'b'] },
      { a: 'x', b: 'y' },
    )
    expect(schema).to.deep.include({ required: ['a'] })
  })
})
