import type { Tool, ToolSchema } from '@braidwork/plugin'

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

export default {
  kind: 'tool',
  name: '{{name}}',
  requiredTags: ['tools'],
  getToolSchemas: () => [SCHEMA],

  // The host has checked the arguments of the call against the schema.
  executeTool({ input }) {
    const { text } = input as { readonly text: string }
    const words = text.split(/\s+/).filter((word) => word !== '')
    return { output: { words: words.length, characters: [...text].length } }
  },
} satisfies Tool
