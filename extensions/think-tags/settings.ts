import type { SettingsOf } from '@braidwork/plugin'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    tags: {
      type: 'array',
      title: 'Tags',
      'x-i18n': {
        de: { title: 'Tags', description: 'Namen der Tags, in denen das Nachdenken steht' },
      },
      description: 'Names of the tags that contain reasoning',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_:-]*$', maxLength: 64 },
      minItems: 1,
      default: ['think', 'thinking', 'reasoning'],
    },
    starts_open: {
      type: 'boolean',
      title: 'Starts open',
      'x-i18n': {
        de: {
          title: 'Beginnt offen',
          description:
            'Antworten beginnen in einem Tag, weil der Prompt schon das öffnende enthält',
        },
      },
      description:
        'Answers begin inside a tag, because the prompt already contains the opening tag',
      default: false,
    },
  },
  additionalProperties: false,
} as const

export type ThinkTags = SettingsOf<typeof CONFIG_SCHEMA>
