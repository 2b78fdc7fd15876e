/** The number of words and of characters in a text. White space counts as characters if it is wanted. */
export function countsOf(text: string, hasSpaces: boolean) {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return { words: words.length, characters: [...(hasSpaces ? text : words.join(''))].length }
}
