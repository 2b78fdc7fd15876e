import type { SettingsOf } from '@braidwork/plugin'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    marks: {
      type: 'boolean',
      title: 'Marks',
      description: 'Put a number after each text that cites a source',
      default: true,
    },
    list: {
      type: 'boolean',
      title: 'List',
      description: 'List the sources at the end of the answer',
      default: true,
    },
  },
  additionalProperties: false,
} as const

export type Citing = SettingsOf<typeof CONFIG_SCHEMA>
