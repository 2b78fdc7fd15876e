import type { Config } from '@braidwork/plugin'
import { RE2JS } from 're2js'

/** A rule as settings have it, its pattern compiled. */
export interface Rule {
  readonly name: string
  readonly on: 'request' | 'answer'
  readonly action: 'stop' | 'warn'
  readonly message?: string
  readonly pattern: RE2JS
  /** The group of the pattern that is the match. */
  readonly group: number
  /** How many characters of an answer wait until it is known that no match begins in them. */
  readonly reach: number
}

/** Longer matches of a pattern may begin in what was shown; a word waits as long as it is. */
const PATTERN_REACH = 64

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    rules: {
      type: 'array',
      title: 'Rules',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, description: 'What errors and warnings call it' },
          on: { type: 'string', enum: ['request', 'answer'] },
          pattern: {
            type: 'string',
            maxLength: 1000,
            'x-syntax': 're2',
            description: 'Expression in the syntax of RE2',
          },
          words: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 100 },
            minItems: 1,
            maxItems: 1000,
            description: 'Whole words or phrases, in any case',
          },
          action: { type: 'string', enum: ['stop', 'warn'], default: 'stop' },
          message: { type: 'string', description: 'What the error or the warning says' },
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
  if (!Array.isArray(rules)) throw settingError('', 'it is no list of rules')
  return rules.map((rule, at) => readRule(rule as Given, `/${at}`))
}

function readRule(given: Given, at: string): Rule {
  const { name, on, action = 'stop', message } = given ?? {}
  if (typeof name !== 'string' || name === '') throw settingError(`${at}/name`, 'it is no text')
  if (on !== 'request' && on !== 'answer')
    throw settingError(`${at}/on`, 'it is "request" or "answer"')
  if (action !== 'stop' && action !== 'warn')
    throw settingError(`${at}/action`, 'it is "stop" or "warn"')
  const text = typeof message === 'string' && message !== '' ? { message } : {}
  return { name, on, action, ...text, ...readMatch(given, at) }
}

function readMatch(
  { pattern, words }: Given,
  at: string,
): Pick<Rule, 'pattern' | 'group' | 'reach'> {
  if ((pattern === undefined) === (words === undefined))
    throw settingError(at, 'a rule has either "pattern" or "words"')
  if (pattern !== undefined) {
    if (typeof pattern !== 'string') throw settingError(`${at}/pattern`, 'it is no text')
    return { pattern: compile(pattern, `${at}/pattern`), group: 0, reach: PATTERN_REACH }
  }
  const list: readonly unknown[] = Array.isArray(words) ? words : []
  if (list.length === 0 || !list.every((word) => typeof word === 'string' && word !== ''))
    throw settingError(`${at}/words`, 'it is no list of words')
  const all = list as readonly string[]
  // RE2 knows a word's edge for ASCII only.
  const edge = '[^\\pL\\pN_]'
  const source = `(?i)(?:^|${edge})(${all.map((word) => RE2JS.quote(word)).join('|')})(?:$|${edge})`
  const reach = Math.max(...all.map((word) => word.length)) + 1
  return { pattern: compile(source, `${at}/words`), group: 1, reach }
}

function compile(source: string, below: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    throw settingError(below, `it is no expression of RE2: ${(error as Error).message}`, error)
  }
}

function settingError(below: string, reason: string, cause?: unknown): Error {
  const pointer = `/settings/guard/rules${below}`
  const message = `Setting "${pointer}" of extension "guard" cannot be used: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'SETTINGS_INVALID', pointer })
}
