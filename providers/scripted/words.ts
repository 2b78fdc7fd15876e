/** Lower case of the same length; `toLowerCase` may change the length. */
export function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The words of a text, or of a name such as `get_weather` or `getWeather`, in lower case. */
export function wordsOf(text: string): string[] {
  return lower(text.replace(/([a-z0-9])([A-Z])/g, '$1 $2')).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The quoted texts, in order. */
export function quotesIn(text: string): string[] {
  return [...text.matchAll(/"([^"\n]{1,500})"|“([^“”\n]{1,500})”|`([^`\n]{1,500})`/g)].map(
    ([, straight, curly, code]) => straight ?? curly ?? code ?? '',
  )
}

/** The numbers that stand alone, in order. */
export function numbersIn(text: string): number[] {
  return (text.match(/(?<![\w.])-?\d{1,15}(?:\.\d{1,10})?(?![\w.]*\w)/g) ?? []).map(Number)
}

const PLACE_WORD = "\\p{Lu}[\\p{L}'’-]{0,40}"
const PLACE = `${PLACE_WORD}(?: ${PLACE_WORD}){0,3}`
const PLACES = new RegExp(
  `\\b(?:in|at|for|near|to|of) (${PLACE}(?:(?:,| and|, and) ${PLACE}){0,8})`,
  'gu',
)

/** Place names: capitalized words after "in", "for" and similar words, as in "in Paris and New York". */
export function placesIn(text: string): string[] {
  const found = [...text.matchAll(PLACES)].flatMap(([, names = '']) =>
    names.split(/, and |, | and |,/),
  )
  return [...new Set(found.filter((name) => name !== ''))]
}
