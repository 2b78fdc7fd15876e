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
      description: 'What the pieces of a text are',
      default: 'word',
    },
    reasoning: {
      type: 'boolean',
      title: 'Reasoning',
      description: 'Reasoning too, not only text',
      default: false,
    },
  },
  additionalProperties: false,
} as const

/** The settings, which the host has checked. */
export function readSettings(config: Config): Smoothing {
  const { by, reasoning } = config.settings?.['smooth-stream'] ?? {}
  return { by: by === 'line' ? 'line' : 'word', hasReasoning: reasoning === true }
}
