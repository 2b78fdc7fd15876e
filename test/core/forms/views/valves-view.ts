import { createHost } from '../../../../src/core/index.ts'
import { extension, provider } from '../../../helpers/plugins.ts'

const PLUGIN = extension('my-e', {
  configSchema: {
    type: 'object',
    title: 'Eee',
    properties: {
      text: { type: 'string', maxLength: 9, title: 'A "title"\nwith \\ and \ud83d\ude00, \ud800' },
      size: { type: 'number', exclusiveMinimum: 0, default: 2 },
      count: { type: 'integer', minimum: -1, maximum: 3, multipleOf: 2 },
      share: { type: 'number', minimum: 0, exclusiveMaximum: 1 },
      on: { type: 'boolean', default: true },
      kind: { enum: ['x', 'y'], default: 'y', description: "It's" },
      only: { const: 'None' },
      words: { type: 'array', items: { type: 'string' }, default: ['a'] },
      some: { type: 'array', items: { enum: ['p', 'q'] } },
      split: { type: 'array', items: { type: 'string' }, default: ['a, b'] },
      rows: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      key: { type: 'string', writeOnly: true },
      class: { type: 'string' },
      'a-b': { type: 'string' },
      a_b: { type: 'string' },
    },
  },
})

/** The valves of a plugin that has settings of every kind. */
export async function viewOf(settings: { readonly [key: string]: unknown } = {}) {
  await using host = await createHost({ plugins: [provider('p'), PLUGIN] })
  return await host.uiSchema(
    { settings: { 'my-e': settings } },
    { format: 'valves', plugin: 'my-e' },
  )
}
