import { t, type Words, wordFor } from '../words/index.ts'
import { listText } from './list-text.ts'
import { RULE_WORDS } from './rule-words.ts'

/** What the server says of a tool that is not offered, or whose calls a person is asked about. */
export interface Reasoned {
  /** In English. */
  readonly reason?: string
  /** The same as a code with its values. A plugin's own reason has none. */
  readonly why?: Facts
}

interface Facts {
  readonly code?: unknown
  readonly [value: string]: unknown
}

/** The rules that turn the plugin of a tool off. */
const OFF_WORDS: { readonly [rule: string]: keyof Words } = {
  ...RULE_WORDS,
  'own verdict': 'whyRule_ownVerdictOff',
  'other provider': 'whyRule_servesOther',
}

/** Why a tool is not offered, or must ask: in the words of the page for this code, or else as the server says it. */
export function toolReason({ reason, why = {} }: Reasoned): string | undefined {
  const name = why.code === 'PLUGIN_OFF' ? ruleWord(why['rule']) : `toolReason_${String(why.code)}`
  const words = name === undefined ? undefined : wordFor(name)
  const values = valuesIn(why)
  const asked = words?.matchAll(/\{(\w+)\}/g) ?? []
  const isComplete = [...asked].every(([, value = '']) => Object.hasOwn(values, value))
  return words !== undefined && isComplete ? t(name as keyof Words, values) : reason
}

function ruleWord(rule: unknown): string | undefined {
  return Object.hasOwn(OFF_WORDS, String(rule)) ? OFF_WORDS[String(rule)] : undefined
}

/** The values that fit into words: texts and lists of texts. */
function valuesIn(why: Facts): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(why).flatMap(([name, value]): [string, string][] => {
      if (typeof value === 'string') return [[name, value]]
      const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
      return isList ? [[name, listText(value)]] : []
    }),
  )
}
