import type { SettingsOf } from '@braidwork/plugin'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    tags: {
      type: 'array',
      title: 'Tags',
      description: 'Names of the tags that contain reasoning',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_:-]*$', maxLength: 64 },
      minItems: 1,
      default: ['think', 'thinking', 'reasoning'],
    },
    starts_open: {
      type: 'boolean',
      title: 'Starts open',
      description:
        'Answers begin inside a tag, because the prompt already contains the opening tag',
      default: false,
    },
  },
  additionalProperties: false,
} as const

export type ThinkTags = SettingsOf<typeof CONFIG_SCHEMA>
