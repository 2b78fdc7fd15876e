import type { SettingsOf } from '@braidwork/plugin'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    marks: {
      type: 'boolean',
      title: 'Marks',
      'x-i18n': {
        de: {
          title: 'Ziffern',
          description: 'Nach jedem Text, der eine Quelle anführt, eine Ziffer setzen',
        },
      },
      description: 'Put a number after each text that cites a source',
      default: true,
    },
    list: {
      type: 'boolean',
      title: 'List',
      'x-i18n': {
        de: { title: 'Liste', description: 'Die Quellen am Ende der Antwort aufführen' },
      },
      description: 'List the sources at the end of the answer',
      default: true,
    },
  },
  additionalProperties: false,
} as const

export type Citing = SettingsOf<typeof CONFIG_SCHEMA>
