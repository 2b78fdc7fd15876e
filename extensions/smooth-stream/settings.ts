import type { Config } from '@braidwork/plugin'

export interface Smoothing {
  readonly by: 'word' | 'line'
  readonly hasReasoning: boolean
}

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

/** Reads the settings. The host has already validated them. */
export function readSettings(config: Config): Smoothing {
  const { by, reasoning } = config.settings?.['smooth-stream'] ?? {}
  return { by: by === 'line' ? 'line' : 'word', hasReasoning: reasoning === true }
}
