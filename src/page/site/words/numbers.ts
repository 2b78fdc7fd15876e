import { type Language, language } from './language.ts'

/** What stands between groups of three digits, and before decimals. */
const SIGNS = { de: ['.', ','], en: [',', '.'] } as const

/** A number as people write it in the language of the page. `Intl` would take a browser 30 ms before its first number. */
export function numberText(value: number, decimalPlaces = 0): string {
  const [groupSign, point] = SIGNS[language]
  const [whole = '', rest] = value.toFixed(decimalPlaces).split('.')
  const first = whole.length % 3
  const groups = Array.from({ length: Math.floor(whole.length / 3) }, (_, at) =>
    whole.slice(first + 3 * at, first + 3 * at + 3),
  )
  const text = [...(first > 0 ? [whole.slice(0, first)] : []), ...groups].join(groupSign)
  return rest === undefined ? text : `${text}${point}${rest}`
}

/** All digits of a number, without groups, such as `0,25` in German. */
export function digitsText(value: number, of: Language = language): string {
  return String(value).replace('.', SIGNS[of][1])
}

/** A whole part is plain, or has groups of three digits throughout. */
const PATTERNS = {
  de: /^[-+−]?(?:(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:,\d+)?|,\d+)(?:e[-+]?\d+)?$/i,
  en: /^[-+−]?(?:(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i,
} as const

/** The number in a text of a person: undefined where the text is none in the language, or has more digits than a number. */
export function numberIn(text: string, of: Language = language): number | undefined {
  const [groupSign, point] = SIGNS[of]
  const written = text.trim()
  if (!PATTERNS[of].test(written)) return undefined
  const digits = written
    .replaceAll(groupSign, '')
    .replaceAll(/[ \u00a0\u202f]/g, '')
    .replace(point, '.')
    .replace('−', '-')
  const value = Number(digits)
  const isWhole = /^[-+]?\d+$/.test(digits)
  return Number.isFinite(value) && (!isWhole || Number.isSafeInteger(value)) ? value : undefined
}
