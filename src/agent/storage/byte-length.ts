/** The total size of texts in UTF-8, in bytes. Databases count the same. */
export function bytesOf(...texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0)
}
