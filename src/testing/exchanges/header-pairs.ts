/** The headers of a request or of a response: an object, pairs, or names and values in turn; texts or bytes. */
export function pairsOf(headers: unknown): [string, string][] {
  if (typeof headers !== 'object' || headers === null) return []
  if (!(Symbol.iterator in headers)) return Object.entries(headers).map(pairOf)
  const list = [...(headers as Iterable<unknown>)]
  if (list.every(Array.isArray)) return list.map((pair) => pairOf(pair as [unknown, unknown]))
  return list.flatMap((name, at) => (at % 2 === 0 ? [pairOf([name, list[at + 1]])] : []))
}

function pairOf([name, value]: readonly [unknown, unknown]): [string, string] {
  return [String(name).toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value)]
}
