import {
  CHAT_SAMPLING,
  type ChatSettings,
  schemaOf,
  text,
  texts,
  withGerman,
} from '@braidwork/model-api'
import type { JsonObject } from '@braidwork/plugin'
import { OPENAI } from './profile.ts'

export interface OpenAISettings extends ChatSettings {
  readonly api?: 'responses' | 'chat'
  readonly organization?: string
  readonly project?: string
  readonly store?: boolean
  readonly hosted_tools?: readonly (string | JsonObject)[]
  readonly context_management?: readonly JsonObject[]
  readonly include?: readonly string[]
  readonly reasoning_summary?: string
  readonly verbosity?: string
  readonly service_tier?: string
}

/** The schema of `settings.openai`. */
export const SETTINGS_SCHEMA = schemaOf(OPENAI, {
  ...withGerman({
    api: text('API', { enum: ['responses', 'chat'], default: 'responses' }),
    organization: text('Organization'),
    project: text('Project'),
    store: { type: 'boolean', title: 'Let the API store answers' },
    hosted_tools: {
      type: 'array',
      title: 'Tools that the API executes',
      items: {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'object', required: ['type'], properties: { type: text('Kind') } },
        ],
      },
    },
    context_management: {
      type: 'array',
      title: 'Context management, in the format of the API',
      items: { type: 'object', required: ['type'], properties: { type: text('Kind') } },
    },
    include: texts('Additional data to include in the answer'),
    reasoning_summary: text('Summary of the reasoning', { enum: ['auto', 'concise', 'detailed'] }),
    verbosity: text('Verbosity', { enum: ['low', 'medium', 'high'] }),
    service_tier: text('Service tier'),
    strict_tools: { type: 'boolean', title: 'Make tool calls follow their schemas strictly' },
  }),
  ...CHAT_SAMPLING,
})
