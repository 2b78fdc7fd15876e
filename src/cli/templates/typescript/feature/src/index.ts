import { defineFeature, type Message } from '@braidwork/plugin'

function askFor(language: string): Message {
  return { role: 'system', parts: [{ type: 'text', text: `Answer in ${language}.` }] }
}

export default defineFeature({
  kind: 'feature',
  name: '{{name}}',
  // Off until a config enables it, since it changes requests.
  defaultEnabled: false,
  requiredTags: ['{{tags}}'],
  // The host makes a form of this schema, and gives its values, with the defaults, to the hooks.
  configSchema: {
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
  },

  editMessages: (messages, _state, { settings }) => [askFor(settings.language), ...messages],
})
