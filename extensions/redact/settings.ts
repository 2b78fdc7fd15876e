import type { Config } from '@braidwork/plugin'
import { RE2JS } from 're2js'
import { RULES } from './rules.ts'

/** A pattern of the user's own. */
export interface OwnPattern {
  readonly label: string
  readonly pattern: RE2JS
}

export interface RedactSettings {
  /** Names of the built-in rules that are on. */
  readonly rules: readonly string[]
  readonly patterns: readonly OwnPattern[]
}

const NAMES = Object.keys(RULES)
const LABEL = /^[A-Z][A-Z0-9_]{0,31}$/

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    rules: {
      type: 'array',
      items: { type: 'string', enum: NAMES },
      title: 'Rules',
      description: 'What is looked for; all of it where this is not set',
    },
    patterns: {
      type: 'array',
      title: 'Own patterns',
      items: {
        type: 'object',
        properties: {
          label: {
            type: 'string',
            title: 'Label',
            pattern: '^[A-Z][A-Z0-9_]{0,31}$',
            description: 'Name of the placeholders, such as EMPLOYEE for <EMPLOYEE_1>',
          },
          pattern: {
            type: 'string',
            title: 'Pattern',
            maxLength: 1000,
            'x-syntax': 're2',
            description: 'Expression in the syntax of RE2',
          },
        },
        required: ['label', 'pattern'],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): RedactSettings {
  const { rules = NAMES, patterns = [] } = config.settings?.['redact'] ?? {}
  if (!Array.isArray(rules)) throw settingError('/rules', 'it is no list of rules')
  for (const [at, rule] of rules.entries()) {
    if (typeof rule !== 'string' || !NAMES.includes(rule))
      throw settingError(`/rules/${at}`, `rules are ${NAMES.join(', ')}`)
  }
  if (!Array.isArray(patterns)) throw settingError('/patterns', 'it is no list of patterns')
  return { rules: rules as readonly string[], patterns: patterns.map(readPattern) }
}

function readPattern(value: unknown, at: number): OwnPattern {
  const { label, pattern } = (value ?? {}) as {
    readonly label?: unknown
    readonly pattern?: unknown
  }
  if (typeof label !== 'string' || !LABEL.test(label))
    throw settingError(`/patterns/${at}/label`, 'a label has capitals, digits and "_"')
  const pointer = `/patterns/${at}/pattern`
  if (typeof pattern !== 'string') throw settingError(pointer, 'it is no text')
  try {
    return { label, pattern: RE2JS.compile(pattern) }
  } catch (error) {
    throw settingError(pointer, `it is no expression of RE2: ${(error as Error).message}`, error)
  }
}

function settingError(below: string, reason: string, cause?: unknown): Error {
  const pointer = `/settings/redact${below}`
  const message = `Setting "${pointer}" of extension "redact" cannot be used: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'SETTINGS_INVALID', pointer })
}
