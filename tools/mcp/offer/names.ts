import { createHash } from 'node:crypto'

/** The longest tool name that all model APIs accept. */
const LONGEST = 64
const FOREIGN = /[^A-Za-z0-9_-]/g
const HASH_LENGTH = 6

/** Names by the keys of what they name. A key without a name had the same key as another. */
export interface Named<T> {
  readonly named: ReadonlyMap<string, T>
  /** What gets no name, because something else has exactly its key. */
  readonly doubles: readonly T[]
}

/** A thing that gets a name: the server's name, and its own. */
export interface Nameable {
  readonly server: string
  readonly name: string
}

/**
 * Names tools `<server>__<tool>`, in characters that every model API accepts. A name that was changed for that, and
 * would equal another, ends in a hash of the whole name. So names depend on neither order nor number of the tools.
 */
export function nameTools<T extends Nameable>(tools: readonly T[]): Named<T> {
  const wanted = tools.map((tool) => ({ tool, whole: `${tool.server}__${tool.name}` }))
  const counts = new Map<string, number>()
  for (const { whole } of wanted) counts.set(clean(whole), (counts.get(clean(whole)) ?? 0) + 1)
  const named = new Map<string, T>()
  const doubles: T[] = []
  for (const { tool, whole } of wanted) {
    const plain = clean(whole)
    const isOwn = plain === whole || (counts.get(plain) === 1 && whole.length <= LONGEST)
    const name = isOwn ? plain : hashed(plain, tool)
    if (named.has(name)) doubles.push(tool)
    else named.set(name, tool)
  }
  return { named, doubles }
}

function clean(name: string): string {
  return name.replaceAll(FOREIGN, '_').slice(0, LONGEST)
}

function hashed(name: string, { server, name: own }: Nameable): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([server, own]))
    .digest('hex')
  return `${name.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash.slice(0, HASH_LENGTH)}`
}
