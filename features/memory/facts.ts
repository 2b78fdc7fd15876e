import { createHash } from 'node:crypto'
import type { PluginStorage } from '@braidwork/plugin'

/** What is kept of a conversation; no two have the same text. */
export interface Fact {
  readonly id: string
  readonly text: string
  /** Shown whatever is asked. */
  readonly pinned: boolean
}

export interface StoredFact extends Fact {
  /** Where it stands among the facts: the higher, the newer. */
  readonly order: number
}

/** What a conversation's storage has. */
export interface Facts {
  /** The oldest first. */
  readonly facts: readonly StoredFact[]
  /** How many entries are no facts. */
  readonly damaged: number
}

export const MOST_FACTS = 1_000
/** Of a fact's text, in characters. */
export const MOST_LENGTH = 1_000

const PREFIX = 'fact:'
const KEY = /^fact:([0-9a-f]{8})$/

/** One entry a fact, so that no write can lose another fact. */
export async function readFacts(storage: PluginStorage): Promise<Facts> {
  const keys = await storage.list(PREFIX)
  const read = keys.slice(0, MOST_FACTS).map(async (key) => factsOf(key, await storage.get(key)))
  const facts = (await Promise.all(read)).flat()
  facts.sort((left, right) => left.order - right.order || (left.id < right.id ? -1 : 1))
  return { facts, damaged: keys.length - facts.length }
}

/** The fact of an entry, or none where others wrote it, or what wrote it broke. */
function factsOf(key: string, value: unknown): StoredFact[] {
  const [, id] = KEY.exec(key) ?? []
  if (id === undefined || typeof value !== 'object' || value === null) return []
  const { text, pinned, order } = value as { readonly [name: string]: unknown }
  if (typeof text !== 'string' || text.trim() === '' || text.length > MOST_LENGTH) return []
  if (typeof pinned !== 'boolean' || !Number.isFinite(order)) return []
  return [{ id, text, pinned, order: order as number }]
}

export async function writeFact(
  storage: PluginStorage,
  { id, text, pinned, order }: StoredFact,
): Promise<Fact> {
  await storage.set(`${PREFIX}${id}`, { text, pinned, order })
  return { id, text, pinned }
}

export async function deleteFact(storage: PluginStorage, id: string): Promise<void> {
  await storage.delete(`${PREFIX}${id}`)
}

/** Deletes what is no fact, too. */
export async function deleteFacts(storage: PluginStorage): Promise<void> {
  const keys = await storage.list(PREFIX)
  await Promise.all(keys.map((key) => storage.delete(key)))
}

/** The text's own, as long as no other fact has it: an edited fact keeps the id of its first text. */
export function idFor(text: string, facts: readonly Fact[]): string {
  const taken = new Set(facts.map(({ id }) => id))
  for (let count = 0; ; count++) {
    const hash = createHash('sha256').update(JSON.stringify([text, count]))
    const id = hash.digest('hex').slice(0, 8)
    if (!taken.has(id)) return id
  }
}
