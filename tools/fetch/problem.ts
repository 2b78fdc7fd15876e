/** What keeps a page from being fetched, in words that the model can act on. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
