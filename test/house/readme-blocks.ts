/** A block of code in a page: its language, the name of its file, and the code. */
export interface Block {
  readonly language: string
  readonly file: string
  readonly code: string
}

/** The blocks of code in a page. */
export function blocksOf(markdown: string): Block[] {
  const fences = markdown.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)
  return [...fences].map(([, language = '', file = '', code = '']) => ({ language, file, code }))
}
