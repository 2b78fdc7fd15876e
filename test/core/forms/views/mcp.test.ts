import { expect } from 'chai'
import { createHost } from '../../../../src/core/index.ts'
import { extension, provider } from '../../../helpers/plugins.ts'

const PLUGIN = extension('e', {
  configSchema: {
    type: 'object',
    title: 'Eee',
    required: ['name'],
    properties: {
      name: { type: 'string', title: 'Name', minLength: 1, pattern: '^a', default: 'a' },
      mail: { type: 'string', format: 'email', description: 'Whose' },
      when: { type: 'string', format: 'duration' },
      size: { type: 'integer', minimum: 1, exclusiveMaximum: 9 },
      on: { type: 'boolean', default: true },
      kind: { oneOf: [{ const: 'x', title: 'Ex' }, { const: 'y' }] },
      some: { type: 'array', items: { enum: ['p', 'q'] }, maxItems: 2, default: ['p'] },
      words: { type: 'array', items: { type: 'string' } },
      key: { type: 'string', writeOnly: true },
      fixed: { type: 'string', readOnly: true },
    },
  },
})

async function viewOf(plugin?: string) {
  await using host = await createHost({ plugins: [provider('p'), PLUGIN] })
  return await host.uiSchema({}, { format: 'mcp', ...(plugin ? { plugin } : {}) })
}

describe('the settings as an elicitation of MCP', () => {
  it('has what MCP has fields for, one plugin at a time where that is wanted', async () => {
    const { requestedSchema, pointers, values } = await viewOf('e')
    expect(requestedSchema).to.deep.equal({
      type: 'object',
      properties: {
        e__name: { title: 'Name', type: 'string', minLength: 1, default: 'a' },
        e__mail: { title: 'Mail', type: 'string', format: 'email', description: 'Whose' },
        e__when: { title: 'When', type: 'string' },
        e__size: { title: 'Size', type: 'integer', minimum: 1 },
        e__on: { title: 'On', type: 'boolean', default: true },
        e__kind: {
          title: 'Kind',
          type: 'string',
          oneOf: [
            { const: 'x', title: 'Ex' },
            { const: 'y', title: 'y' },
          ],
        },
        e__some: {
          title: 'Some',
          type: 'array',
          maxItems: 2,
          items: { type: 'string', enum: ['p', 'q'] },
          default: ['p'],
        },
      },
      required: ['e__name'],
    })
    expect(pointers).to.include({ e__name: '/settings/e/name' })
    expect(values).to.deep.equal({ e__name: 'a', e__on: true, e__some: ['p'] })
  })

  it('says what it has no field for, secrets first of all', async () => {
    const { left } = await viewOf('e')
    expect(left).to.deep.equal([
      { pointer: '/settings/e/words', reason: 'its values are not plain values' },
      { pointer: '/settings/e/key', reason: 'a secret, and elicitations must not ask for secrets' },
      { pointer: '/settings/e/fixed', reason: 'it cannot be changed' },
    ])
  })

  it('names the plugin in each title where it has several', async () => {
    const { requestedSchema } = await viewOf()
    expect(requestedSchema.properties['e__mail']).to.include({ title: 'Eee: Mail' })
    expect(requestedSchema.properties['switches__e']).to.include({ title: 'Plugins: Eee' })
  })
})
