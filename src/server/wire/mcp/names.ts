import { createHash } from 'node:crypto'
import { cleanName, LONGEST_NAME } from '@braidwork/core/internal'

const HASH = 8

/**
 * Names tools by their ids: characters that model APIs refuse are replaced, and a name has at most 64 characters. An id
 * that is a name as it stands keeps it. Of two ids with one name, the later has a hash of its id at the end.
 * @returns the ids by name, in the order of the ids
 */
export function toolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const sound = new Set(ids.filter((id) => cleanName(id) === id))
  const named = new Map<string, string>()
  for (const id of ids) {
    const name = cleanName(id)
    const isTaken = name !== id && (sound.has(name) || named.has(name))
    named.set(isTaken ? hashed(name, id) : name, id)
  }
  return named
}

/** The name of a tool beside others: its own, or one with a hash if another tool has it. */
export function nameBeside(taken: ReadonlyMap<string, unknown>, name: string): string {
  return taken.has(name) ? hashed(name, `tool ${name}`) : name
}

function hashed(name: string, id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH)
  return `${name.slice(0, LONGEST_NAME - HASH - 1)}_${hash}`
}
