import { EN, type Words } from './en.ts'
import { language } from './language.ts'

export type { Words } from './en.ts'
export { language } from './language.ts'
export { digitsText, numberIn, numberText } from './numbers.ts'

const WORDS: { [name: string]: string } = { ...EN }

/** Loads the words of the page's language. Those in English come with the page, and stay if others cannot be loaded. */
export async function loadWords(): Promise<void> {
  if (language !== 'de') return
  try {
    addWords((await import('./de.ts')).DE)
  } catch {
    // A page in another language is better than none. It loads the words when it is loaded again.
  }
}

/** Adds words of a part of the page, which is loaded when it is opened. */
export function addWords(words: { readonly [name: string]: string }): void {
  Object.assign(WORDS, words)
}

/** The words under a name that may be none, such as one that a server chose. */
export function wordFor(name: string): string | undefined {
  return Object.hasOwn(WORDS, name) ? WORDS[name] : undefined
}

/** The words under a name. What stands in braces is filled in. */
export function t(
  name: keyof Words,
  filled: { readonly [name: string]: string | number } = {},
): string {
  return (WORDS[name] ?? name).replaceAll(/\{(\w+)\}/g, (whole, key: string) =>
    String(filled[key] ?? whole),
  )
}
