/** A language that the page has. */
export type Language = 'de' | 'en'

/** The language of the page: the first of the browser's that the page has. */
export const language: Language =
  navigator.languages
    .map((name) => name.slice(0, 2))
    .find((name) => name === 'de' || name === 'en') === 'de'
    ? 'de'
    : 'en'
