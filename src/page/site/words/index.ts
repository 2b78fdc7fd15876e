import { DE } from './de.ts'
import { EN, type Words } from './en.ts'

export type { Words } from './en.ts'

/** The language of the page: the first of the browser's that the page has. */
export const language: 'de' | 'en' =
  navigator.languages
    .map((name) => name.slice(0, 2))
    .find((name) => name === 'de' || name === 'en') === 'de'
    ? 'de'
    : 'en'

const WORDS: Words = language === 'de' ? DE : EN

/** The words under a name that may be none, such as one that a server chose. */
export function wordFor(name: string): string | undefined {
  return Object.hasOwn(WORDS, name) ? WORDS[name as keyof Words] : undefined
}

const [GROUPS, POINT] = language === 'de' ? ['.', ','] : [',', '.']

/** A number as people write it in the language of the page. `Intl` would take a browser 30 ms before its first number. */
export function numberText(value: number, decimalPlaces = 0): string {
  const [whole = '', rest] = value.toFixed(decimalPlaces).split('.')
  const first = whole.length % 3
  const groups = Array.from({ length: Math.floor(whole.length / 3) }, (_, at) =>
    whole.slice(first + 3 * at, first + 3 * at + 3),
  )
  const text = [...(first > 0 ? [whole.slice(0, first)] : []), ...groups].join(GROUPS)
  return rest === undefined ? text : `${text}${POINT}${rest}`
}

/** The words under a name. What stands in braces is filled in. */
export function t(
  name: keyof Words,
  filled: { readonly [name: string]: string | number } = {},
): string {
  return WORDS[name].replaceAll(/\{(\w+)\}/g, (whole, key: string) => String(filled[key] ?? whole))
}
