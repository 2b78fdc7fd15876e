/** The JSON Schema of a file of recorded exchanges. */
export const EXCHANGES_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Recorded exchanges with a model API',
  type: 'object',
  required: ['version', 'exchanges'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    version: { const: 1 },
    exchanges: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['request', 'response'],
        additionalProperties: false,
        properties: {
          request: {
            type: 'object',
            required: ['method', 'url'],
            additionalProperties: false,
            properties: {
              method: { type: 'string', minLength: 1 },
              url: { type: 'string', format: 'uri' },
              headers: { $ref: '#/$defs/headers' },
              body: { description: 'A JSON value, or a text if the body is no JSON' },
            },
          },
          response: {
            type: 'object',
            required: ['status', 'body'],
            additionalProperties: false,
            properties: {
              status: { type: 'integer', minimum: 200, maximum: 599 },
              headers: { $ref: '#/$defs/headers' },
              body: {
                description:
                  'The pieces of the body, in the order and the sizes in which they came',
                type: 'array',
                items: { type: 'string' },
              },
              encoding: {
                description: 'How the pieces tell bytes; base64 if the body is no text',
                enum: ['utf-8', 'base64'],
              },
              is_cut: {
                description: 'True if the connection ended before the body did',
                type: 'boolean',
              },
            },
          },
        },
      },
    },
  },
  $defs: {
    headers: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const
