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

/** A number as people write it in the language of the page. */
export function numberText(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language, options).format(value)
}

/** The words under a name. What stands in braces is filled in. */
export function t(
  name: keyof Words,
  filled: { readonly [name: string]: string | number } = {},
): string {
  return WORDS[name].replaceAll(/\{(\w+)\}/g, (whole, key: string) => String(filled[key] ?? whole))
}
