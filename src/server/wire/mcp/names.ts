import { createHash } from 'node:crypto'

/** The characters that MCP allows in the name of a tool, and that model APIs do not. */
const UNFIT = /[^A-Za-z0-9_-]/g
const LONGEST = 64
const HASH = 8

/**
 * Names tools by their ids: characters that model APIs refuse are replaced, and a name has at most 64 characters. An id
 * that is a name as it stands keeps it. Of two ids with one name, the later has a hash of its id at the end.
 * @returns the ids by name, in the order of the ids
 */
export function toolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const sound = new Set(ids.filter((id) => nameOf(id) === id))
  const named = new Map<string, string>()
  for (const id of ids) {
    const name = nameOf(id)
    const isTaken = name !== id && (sound.has(name) || named.has(name))
    named.set(isTaken ? hashed(name, id) : name, id)
  }
  return named
}

function nameOf(id: string): string {
  return id.replaceAll(UNFIT, '_').slice(0, LONGEST)
}

function hashed(name: string, id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH)
  return `${name.slice(0, LONGEST - HASH - 1)}_${hash}`
}
