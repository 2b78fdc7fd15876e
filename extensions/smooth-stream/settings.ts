import type { SettingsOf } from '@braidwork/plugin'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    by: {
      enum: ['word', 'line'],
      title: 'Pieces',
      'x-i18n': { de: { title: 'Stücke', description: 'In welchen Einheiten der Text erscheint' } },
      description: 'Unit in which text is shown',
      default: 'word',
    },
    reasoning: {
      type: 'boolean',
      title: 'Reasoning',
      'x-i18n': {
        de: { title: 'Nachdenken', description: 'Auch das Nachdenken glätten, nicht nur den Text' },
      },
      description: 'Smooth reasoning too, not only text',
      default: false,
    },
  },
  additionalProperties: false,
} as const

export type Smoothing = SettingsOf<typeof CONFIG_SCHEMA>
