/** The bytes of texts in UTF-8, as databases count them. */
export function bytesOf(...texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0)
}
