import type { Tool, ToolSchema } from '@braidwork/plugin'

const ASK_USER: ToolSchema = {
  name: 'ask_user',
  description:
    'Asks the user a question and waits for the answer. Ask only what changes your work and what you cannot find out yourself.',
  input_schema: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'The question, as the user reads it', minLength: 1 },
      options: {
        type: 'array',
        description: 'The answers to choose from, if there are only a few',
        items: { type: 'string', minLength: 1 },
        minItems: 2,
        maxItems: 20,
        uniqueItems: true,
      },
      schema: {
        type: 'string',
        description:
          'The JSON Schema of the answer, as JSON, if the answer is neither a text nor one of the options',
      },
    },
    required: ['question'],
    additionalProperties: false,
  },
  output_schema: {
    type: 'object',
    properties: { answer: { description: 'What the user answered' } },
    required: ['answer'],
  },
  safety: {
    is_read_only: true,
    is_concurrency_safe: true,
    is_destructive: false,
    asks_user: true,
  },
}

export default {
  kind: 'tool',
  name: 'ask-user',
  defaultEnabled: false,
  requiredTags: ['tools'],
  getToolSchemas: () => [ASK_USER],
  // A run never executes the call: it waits for the user. A caller that executes tools itself has no user to ask.
  executeTool: () => ({
    output: 'The user can be asked only in a run of an agent.',
    isError: true,
  }),
} satisfies Tool
