import type { SettingsOf } from '@braidwork/plugin'
import type { Mark } from './mark-request.ts'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    ttl: {
      enum: ['5m', '1h'],
      title: 'Time to live',
      'x-i18n': {
        de: {
          title: 'Lebensdauer',
          description: 'Wie lange die API einen Eintrag behält, der nicht gebraucht wird',
        },
      },
      description: 'How long the API keeps a cache entry that is not used',
      default: '5m',
    },
  },
  additionalProperties: false,
} as const

export type CacheSettings = SettingsOf<typeof CONFIG_SCHEMA>

/** The mark for these settings. */
export function markFor({ ttl }: CacheSettings): Mark {
  return ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' }
}
