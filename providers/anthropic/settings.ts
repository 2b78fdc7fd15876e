import { type ConnectionSettings, schemaOf, text, texts, withGerman } from '@braidwork/model-api'
import type { JsonObject } from '@braidwork/plugin'
import { ANTHROPIC } from './profile.ts'

export interface AnthropicSettings extends ConnectionSettings {
  readonly thinking?: JsonObject
  readonly hosted_tools?: readonly (string | JsonObject)[]
  readonly mcp_servers?: readonly JsonObject[]
  readonly prompt_cache?: boolean | '5m' | '1h'
  readonly citations?: boolean
  readonly context_management?: JsonObject
  readonly container?: string | JsonObject
  readonly strict_tools?: boolean
  readonly service_tier?: string
  readonly betas?: readonly string[]
  readonly top_k?: number
}

const objects = (title: string, key: string) => ({
  type: 'object',
  title,
  required: [key],
  properties: { [key]: text('Kind') },
})

/** The schema of `settings.anthropic`. */
export const SETTINGS_SCHEMA = schemaOf(
  ANTHROPIC,
  withGerman({
    thinking: {
      type: 'object',
      title: 'Thinking',
      description: 'Overrides reasoning_effort; further fields are sent unchanged',
      required: ['type'],
      properties: {
        type: text('Kind', { enum: ['adaptive', 'between_tools', 'enabled', 'disabled'] }),
        budget_tokens: {
          type: 'integer',
          title: 'Thinking budget in tokens, if enabled',
          minimum: 1024,
        },
      },
    },
    hosted_tools: {
      type: 'array',
      title: 'Tools that the API executes',
      items: { anyOf: [{ type: 'string', minLength: 1 }, objects('Tool', 'type')] },
    },
    mcp_servers: {
      type: 'array',
      title: 'MCP servers that the API connects to',
      items: {
        type: 'object',
        required: ['name', 'url'],
        properties: {
          name: { type: 'string', description: 'Name of the server' },
          url: { type: 'string', description: 'URL of the server' },
          authorization_token: {
            type: 'string',
            writeOnly: true,
            description: 'Token that the API sends to the server',
          },
        },
      },
    },
    prompt_cache: {
      title: 'Cache the prompt',
      anyOf: [{ type: 'boolean' }, { enum: ['5m', '1h'] }],
      default: false,
    },
    citations: { type: 'boolean', title: 'Cite the documents of the request', default: false },
    context_management: { type: 'object', title: 'Context management, in the format of the API' },
    container: {
      title: 'Container for code execution, in the format of the API',
      anyOf: [{ type: 'string' }, { type: 'object' }],
    },
    strict_tools: {
      type: 'boolean',
      title: 'Make tool calls follow their schemas strictly',
      default: false,
    },
    service_tier: text('Service tier', { enum: ['auto', 'standard_only'] }),
    betas: texts('Beta features to enable, in addition to those that the request needs'),
    top_k: { type: 'integer', title: 'Top K', minimum: 1 },
  }),
)
