import type { Config } from '@braidwork/plugin'
import type { Mark } from './mark-request.ts'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    ttl: {
      enum: ['5m', '1h'],
      title: 'Time to live',
      description: 'How long the API keeps what it was not asked for again',
      default: '5m',
    },
  },
  additionalProperties: false,
} as const

/** The mark of the settings, which the host has checked. */
export function readMark(config: Config): Mark {
  const isLong = config.settings?.['prompt-cache']?.['ttl'] === '1h'
  return isLong ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
