/** What keeps a search from being done, in words that the model can act on. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
