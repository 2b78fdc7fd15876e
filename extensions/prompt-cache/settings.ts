import type { Config } from '@braidwork/plugin'
import type { Mark } from './mark-request.ts'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    ttl: {
      enum: ['5m', '1h'],
      title: 'Time to live',
      description: 'How long the API keeps a cache entry that is not used',
      default: '5m',
    },
  },
  additionalProperties: false,
} as const

/** Reads the mark from the settings. The host has already validated them. */
export function readMark(config: Config): Mark {
  const isLong = config.settings?.['prompt-cache']?.['ttl'] === '1h'
  return isLong ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
