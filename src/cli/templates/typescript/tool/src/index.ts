import { defineTool, type ToolSchema } from '@braidwork/plugin'
import { countsOf } from './counts.js'

const SCHEMA: ToolSchema = {
  name: '{{function}}',
  description: 'Counts the words and the characters of a text.',
  input_schema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text to count', maxLength: 100_000 } },
    required: ['text'],
    additionalProperties: false,
  },
  output_schema: {
    type: 'object',
    properties: { words: { type: 'integer' }, characters: { type: 'integer' } },
    required: ['words', 'characters'],
    additionalProperties: false,
  },
  safety: { is_read_only: true, is_concurrency_safe: true, is_destructive: false },
}

export default defineTool({
  kind: 'tool',
  name: '{{name}}',
  requiredTags: ['tools'],
  // The host makes a form of this schema, and gives its values, with the defaults, to the hooks.
  configSchema: {
    type: 'object',
    properties: {
      spaces: {
        type: 'boolean',
        title: 'White space',
        description: 'Whether white space counts as characters',
        default: true,
      },
    },
    additionalProperties: false,
  },
  getToolSchemas: () => [SCHEMA],

  // The host has checked the arguments of the call against the schema.
  executeTool({ input }, _state, { settings }) {
    const { text } = input as { readonly text: string }
    return { output: countsOf(text, settings.spaces) }
  },
})
