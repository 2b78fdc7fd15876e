import type { Config } from '@braidwork/plugin'
import { RE2JS } from 're2js'

/** A rule of the settings with its compiled pattern. */
export interface Rule {
  readonly name: string
  readonly on: 'request' | 'answer'
  readonly action: 'stop' | 'warn'
  readonly message?: string
  readonly pattern: RE2JS
  /** The index of the capture group that contains the match. */
  readonly group: number
  /** How many characters of a streamed answer are held back until no match can begin in them. */
  readonly reach: number
}

/** For patterns, whose match length is unknown. A longer match may begin in text that was already shown. */
const PATTERN_REACH = 64

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    rules: {
      type: 'array',
      title: 'Rules',
      'x-i18n': { de: { title: 'Regeln' } },
      items: {
        type: 'object',
        properties: {
          name: {
            type: 'string',
            minLength: 1,
            description: 'Name of the rule in errors and warnings',
            'x-i18n': {
              de: { title: 'Name', description: 'Name der Regel in Fehlern und Warnungen' },
            },
          },
          on: {
            type: 'string',
            enum: ['request', 'answer'],
            description: 'Which messages the rule judges',
            'x-i18n': { de: { description: 'Welche Nachrichten die Regel beurteilt' } },
          },
          pattern: {
            type: 'string',
            maxLength: 1000,
            'x-syntax': 're2',
            description: 'Regular expression in RE2 syntax',
            'x-i18n': {
              de: { title: 'Muster', description: 'Regulärer Ausdruck in der Syntax von RE2' },
            },
          },
          words: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 100 },
            minItems: 1,
            maxItems: 1000,
            description: 'Whole words or phrases, case-insensitive',
            'x-i18n': {
              de: {
                title: 'Wörter',
                description: 'Ganze Wörter oder Wortfolgen, groß oder klein geschrieben',
              },
            },
          },
          action: {
            type: 'string',
            enum: ['stop', 'warn'],
            default: 'stop',
            description: 'Whether a match ends the request or only warns',
            'x-i18n': {
              de: { description: 'Ob ein Treffer die Anfrage beendet oder nur warnt' },
            },
          },
          message: {
            type: 'string',
            description: 'Text of the error or warning',
            'x-i18n': {
              de: { title: 'Meldung', description: 'Text des Fehlers oder der Warnung' },
            },
          },
        },
        required: ['name', 'on'],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const

type Given = { readonly [key: string]: unknown }

/** @throws SETTINGS_INVALID */
export function readRules(config: Config): readonly Rule[] {
  const { rules = [] } = config.settings?.['guard'] ?? {}
  if (!Array.isArray(rules)) throw settingError('', 'it must be a list of rules')
  return rules.map((rule, at) => readRule(rule as Given, `/${at}`))
}

function readRule(given: Given, at: string): Rule {
  const { name, on, action = 'stop', message } = given ?? {}
  if (typeof name !== 'string' || name === '')
    throw settingError(`${at}/name`, 'it must be a non-empty text')
  if (on !== 'request' && on !== 'answer')
    throw settingError(`${at}/on`, 'it must be "request" or "answer"')
  if (action !== 'stop' && action !== 'warn')
    throw settingError(`${at}/action`, 'it must be "stop" or "warn"')
  const text = typeof message === 'string' && message !== '' ? { message } : {}
  return { name, on, action, ...text, ...readMatch(given, at) }
}

function readMatch(
  { pattern, words }: Given,
  at: string,
): Pick<Rule, 'pattern' | 'group' | 'reach'> {
  if ((pattern === undefined) === (words === undefined))
    throw settingError(at, 'a rule must have either "pattern" or "words"')
  if (pattern !== undefined) {
    if (typeof pattern !== 'string') throw settingError(`${at}/pattern`, 'it must be a text')
    return { pattern: compile(pattern, `${at}/pattern`), group: 0, reach: PATTERN_REACH }
  }
  const list: readonly unknown[] = Array.isArray(words) ? words : []
  if (list.length === 0 || !list.every((word) => typeof word === 'string' && word !== ''))
    throw settingError(`${at}/words`, 'it must be a list of words')
  const all = list as readonly string[]
  // RE2's \b recognizes ASCII words only.
  const edge = '[^\\pL\\pN_]'
  const source = `(?i)(?:^|${edge})(${all.map((word) => RE2JS.quote(word)).join('|')})(?:$|${edge})`
  const reach = Math.max(...all.map((word) => word.length)) + 1
  return { pattern: compile(source, `${at}/words`), group: 1, reach }
}

function compile(source: string, below: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    throw settingError(
      below,
      `it is not a valid RE2 expression: ${(error as Error).message}`,
      error,
    )
  }
}

function settingError(below: string, reason: string, cause?: unknown): Error {
  const pointer = `/settings/guard/rules${below}`
  const message = `Setting "${pointer}" of extension "guard" is invalid: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'SETTINGS_INVALID', pointer })
}
