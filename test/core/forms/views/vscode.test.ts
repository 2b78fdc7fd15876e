import { expect } from 'chai'
import { createHost, editConfig } from '../../../../src/core/index.ts'
import { extension, provider } from '../../../helpers/plugins.ts'

const PLUGIN = extension('e', {
  configSchema: {
    type: 'object',
    title: 'Eee',
    properties: {
      name: { type: 'string', title: 'Name', description: 'See [here](x) and `there`' },
      size: { type: 'integer', minimum: 1 },
      ready: { type: 'number', default: 2 },
      on: { type: 'boolean' },
      off: { type: 'boolean', default: false },
      level: { oneOf: [{ const: 1, title: 'Low' }, { const: 2 }] },
      kind: { oneOf: [{ const: 'x', title: 'Ex' }, { const: 'y' }] },
      list: { type: 'array', items: { type: 'string' } },
      long: { type: 'string', maxLength: 5000, default: 'l' },
      key: { type: 'string', writeOnly: true },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      group: {
        type: 'object',
        title: 'Group',
        properties: { inner: { type: 'string', title: 'In' } },
      },
    },
  },
})

async function viewOf() {
  await using host = await createHost({ plugins: [provider('p'), PLUGIN, extension('none')] })
  return await host.uiSchema({}, { format: 'vscode' })
}

async function settingsOf(plugin: string) {
  const { contributes } = await viewOf()
  const section = contributes.configuration.find(({ id }) => id === `braidwork.settings.${plugin}`)
  return section?.properties ?? expect.fail('no section')
}

describe('the settings as a contribution to VS Code', () => {
  it('have a section for the host and one for each plugin with a setting, in order', async () => {
    const { contributes } = await viewOf()
    const sections = contributes.configuration.map(({ id, title, order }) => [id, title, order])
    expect(sections).to.deep.equal([
      ['braidwork', 'Model and answer', 1],
      ['braidwork.settings.e', 'Eee', 3],
    ])
  })

  it('have ids that say where in the config they stand, and an order', async () => {
    const properties = await settingsOf('e')
    expect(Object.keys(properties)).to.include('braidwork.settings.e.group.inner')
    const orders = Object.values(properties).map(({ order }) => Number(order))
    expect(orders).to.deep.equal(orders.toSorted((a, b) => a - b))
  })

  it('offer numbers as choices', async () => {
    const { 'braidwork.settings.e.level': level } = await settingsOf('e')
    expect(level).to.deep.include({
      type: ['integer', 'null'],
      enum: [1, 2, null],
      enumItemLabels: ['Low', '2'],
      default: null,
    })
    expect(level).not.to.have.any.keys('if', 'then', 'oneOf')
  })

  it('say in Markdown what is no Markdown', async () => {
    const { 'braidwork.settings.e.name': name, 'braidwork.settings.e.group.inner': inner } =
      await settingsOf('e')
    expect(name).to.deep.include({
      markdownDescription: 'Name. See \\[here\\](x) and \\`there\\`',
      scope: 'window',
    })
    expect(inner).to.include({ markdownDescription: 'Group: In' })
  })

  it('are not set by a default of the editor, as 0 or the first choice', async () => {
    const properties = await settingsOf('e')
    const own = (key: string) => properties[`braidwork.settings.e.${key}`]
    expect(own('size')).to.deep.include({ type: ['integer', 'null'], default: null })
    expect(own('on')).to.deep.include({ type: ['boolean', 'null'], enum: [true, false, null] })
    expect(own('kind')).to.deep.include({
      type: ['string', 'null'],
      enum: ['x', 'y', null],
      enumItemLabels: ['Ex', 'y'],
      default: null,
    })
    expect(own('name')).to.include({ type: 'string', default: '' })
    expect(own('list')).to.deep.include({ type: 'array', default: [] })
    expect(own('ready')).to.include({ type: 'number', default: 2 })
    expect(own('off')).to.deep.include({ type: 'boolean', default: false })
    expect(own('long')).to.include({ editPresentation: 'multilineText' })
    const view = await viewOf()
    expect(editConfig({}, view, view.values)).to.deep.equal({})
    const answer = { ...view.values, 'braidwork.settings.e.size': 3, 'braidwork.switches.e': false }
    expect(editConfig({}, view, answer)).to.deep.equal({
      disabled_plugins: { add: ['e'] },
      settings: { e: { size: 3 } },
    })
  })

  it('have no secret, and count in no folder that is not trusted', async () => {
    const { contributes, capabilities, left } = await viewOf()
    expect(left).to.deep.include({
      pointer: '/settings/e/key',
      reason: 'a secret, and settings.json must not contain secrets',
    })
    const ids = contributes.configuration.flatMap(({ properties }) => Object.keys(properties))
    expect(ids).not.to.include.members(['braidwork.settings.e.key'])
    expect(ids).not.to.include.members(['braidwork.settings.e.map'])
    expect(capabilities.untrustedWorkspaces).to.deep.equal({
      supported: 'limited',
      restrictedConfigurations: ids,
    })
  })
})
