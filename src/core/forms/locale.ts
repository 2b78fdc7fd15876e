import { HostError, isObject, type JsonObject } from '@braidwork/plugin'

export const DEFAULT_LOCALE = 'en'

/** Checks a language tag (BCP 47). @throws {HostError} OPTION_INVALID */
export function checkLocale(locale: unknown = DEFAULT_LOCALE): string {
  try {
    return Intl.getCanonicalLocales(locale as string)[0] ?? DEFAULT_LOCALE
  } catch {
    throw new HostError(
      'OPTION_INVALID',
      `"locale" is not a language tag, such as "en" or "de-CH": ${JSON.stringify(locale)?.slice(0, 100)}`,
    )
  }
}

/** The entry for a locale: "de-CH" also finds "de". RFC 4647, 3.4 */
export function lookUp<T>(languages: ReadonlyMap<string, T>, locale: string): T | undefined {
  for (let tag = locale; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = languages.get(tag.toLowerCase())
    if (found !== undefined) return found
  }
  return undefined
}

const NONE: JsonObject = Object.freeze({})

/** The title and description of a schema in a locale, from its `x-i18n: {<language>: {title, description}}`. */
export function chosenWords(schema: JsonObject, locale: string): JsonObject {
  const texts = schema['x-i18n']
  if (!isObject(texts)) return NONE
  const languages = new Map(Object.entries(texts).map(([tag, words]) => [tag.toLowerCase(), words]))
  const words = lookUp(languages, locale)
  if (!isObject(words)) return {}
  const entries = ['title', 'description'].map((key) => [key, words[key]] as const)
  return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string'))
}
