import { DE } from './de.ts'
import { EN, type Words } from './en.ts'
import { language } from './language.ts'

export type { Words } from './en.ts'
export { language } from './language.ts'
export { digitsText, numberIn, numberText } from './numbers.ts'

const WORDS: Words = language === 'de' ? DE : EN

/** The words under a name that may be none, such as one that a server chose. */
export function wordFor(name: string): string | undefined {
  return Object.hasOwn(WORDS, name) ? WORDS[name as keyof Words] : undefined
}

/** The words under a name. What stands in braces is filled in. */
export function t(
  name: keyof Words,
  filled: { readonly [name: string]: string | number } = {},
): string {
  return WORDS[name].replaceAll(/\{(\w+)\}/g, (whole, key: string) => String(filled[key] ?? whole))
}
