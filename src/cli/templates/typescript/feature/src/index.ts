import type { Config, Feature, Message } from '@braidwork/plugin'

const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    language: {
      type: 'string',
      title: 'Language',
      description: 'The language of the answers',
      minLength: 1,
      default: 'English',
    },
  },
  additionalProperties: false,
} as const

function languageOf(config: Config): string {
  const { language } = config.settings?.['{{name}}'] ?? {}
  return typeof language === 'string' ? language : CONFIG_SCHEMA.properties.language.default
}

export default {
  kind: 'feature',
  name: '{{name}}',
  // Off until a config enables it, since it changes requests.
  defaultEnabled: false,
  requiredTags: ['{{tags}}'],
  configSchema: CONFIG_SCHEMA,

  editMessages(messages, _state, { config }) {
    const text = `Answer in ${languageOf(config)}.`
    const instruction: Message = { role: 'system', parts: [{ type: 'text', text }] }
    return [instruction, ...messages]
  },
} satisfies Feature
