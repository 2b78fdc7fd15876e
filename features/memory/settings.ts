import type { Config } from '@braidwork/plugin'
import { MOST_FACTS } from './facts.ts'
import { problem } from './problem.ts'

export interface MemorySettings {
  readonly max_facts: number
  readonly max_characters: number
}

const LIMITS = {
  max_facts: { most: MOST_FACTS, usual: 200 },
  max_characters: { most: 100_000, usual: 4_000 },
} as const

const limit = (name: keyof typeof LIMITS, title: string, description: string, german: object) => ({
  type: 'integer',
  minimum: 1,
  maximum: LIMITS[name].most,
  default: LIMITS[name].usual,
  title,
  description,
  'x-i18n': { de: german },
})

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    max_facts: limit(
      'max_facts',
      'Maximum number of facts',
      'Maximum number of facts per conversation',
      { title: 'Höchstzahl der Fakten', description: 'Höchstzahl der Fakten je Unterhaltung' },
    ),
    max_characters: limit(
      'max_characters',
      'Most characters',
      'Maximum number of characters of facts shown to the model with each request',
      {
        title: 'Höchstzahl der Zeichen',
        description: 'Höchstzahl der Zeichen von Fakten, die das Modell bei jeder Anfrage sieht',
      },
    ),
  },
  additionalProperties: false,
} as const

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): MemorySettings {
  const settings = config.settings?.['memory'] ?? {}
  const limitOf = (name: keyof typeof LIMITS): number => {
    const { most, usual } = LIMITS[name]
    const value = settings[name] ?? usual
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most)
      return value
    const message = `Setting "${name}" of feature "memory" must be a whole number from 1 to ${most}.`
    throw problem('SETTINGS_INVALID', message, `/settings/memory/${name}`)
  }
  return { max_facts: limitOf('max_facts'), max_characters: limitOf('max_characters') }
}
