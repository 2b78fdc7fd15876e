import type { Config } from '@braidwork/plugin'
import { RE2JS } from 're2js'
import { RULES } from './rules.ts'

/** A pattern from the user's settings. */
export interface OwnPattern {
  readonly label: string
  readonly pattern: RE2JS
}

export interface RedactSettings {
  /** Names of the built-in rules that are switched on. */
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
      'x-i18n': {
        de: {
          title: 'Regeln',
          description: 'Welche Arten von Werten geschwärzt werden; ohne Angabe alle',
        },
      },
      description: 'The kinds of values to redact; by default all',
    },
    patterns: {
      type: 'array',
      title: 'Own patterns',
      'x-i18n': { de: { title: 'Eigene Muster' } },
      items: {
        type: 'object',
        properties: {
          label: {
            type: 'string',
            title: 'Label',
            'x-i18n': {
              de: {
                title: 'Bezeichnung',
                description: 'Bezeichnung der Platzhalter, etwa EMPLOYEE für <EMPLOYEE_1>',
              },
            },
            pattern: '^[A-Z][A-Z0-9_]{0,31}$',
            description: 'Label of the placeholders, such as EMPLOYEE for <EMPLOYEE_1>',
          },
          pattern: {
            type: 'string',
            title: 'Pattern',
            'x-i18n': {
              de: { title: 'Muster', description: 'Regulärer Ausdruck in der Syntax von RE2' },
            },
            maxLength: 1000,
            'x-syntax': 're2',
            description: 'Regular expression in RE2 syntax',
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
  if (!Array.isArray(rules)) throw settingError('/rules', 'it must be a list of rules')
  for (const [at, rule] of rules.entries()) {
    if (typeof rule !== 'string' || !NAMES.includes(rule))
      throw settingError(`/rules/${at}`, `it must be one of ${NAMES.join(', ')}`)
  }
  if (!Array.isArray(patterns)) throw settingError('/patterns', 'it must be a list of patterns')
  return { rules: rules as readonly string[], patterns: patterns.map(readPattern) }
}

function readPattern(value: unknown, at: number): OwnPattern {
  const { label, pattern } = (value ?? {}) as {
    readonly label?: unknown
    readonly pattern?: unknown
  }
  if (typeof label !== 'string' || !LABEL.test(label))
    throw settingError(
      `/patterns/${at}/label`,
      'a label may contain only capital letters, digits and "_"',
    )
  const pointer = `/patterns/${at}/pattern`
  if (typeof pattern !== 'string') throw settingError(pointer, 'it must be a text')
  try {
    return { label, pattern: RE2JS.compile(pattern) }
  } catch (error) {
    throw settingError(
      pointer,
      `it is not a valid RE2 expression: ${(error as Error).message}`,
      error,
    )
  }
}

function settingError(below: string, reason: string, cause?: unknown): Error {
  const pointer = `/settings/redact${below}`
  const message = `Setting "${pointer}" of extension "redact" is invalid: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'SETTINGS_INVALID', pointer })
}
