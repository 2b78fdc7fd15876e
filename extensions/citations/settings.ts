import type { Config } from '@braidwork/plugin'

export interface Citing {
  readonly hasMarks: boolean
  readonly hasList: boolean
}

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

/** Reads the settings. The host has already validated them. */
export function readSettings(config: Config): Citing {
  const { marks, list } = config.settings?.['citations'] ?? {}
  return { hasMarks: marks !== false, hasList: list !== false }
}
