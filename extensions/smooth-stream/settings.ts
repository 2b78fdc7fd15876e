import type { SettingsOf } from '@braidwork/plugin'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    by: {
      enum: ['word', 'line'],
      title: 'Pieces',
      description: 'Unit in which text is shown',
      default: 'word',
    },
    reasoning: {
      type: 'boolean',
      title: 'Reasoning',
      description: 'Smooth reasoning too, not only text',
      default: false,
    },
  },
  additionalProperties: false,
} as const

export type Smoothing = SettingsOf<typeof CONFIG_SCHEMA>
