import { createHash } from 'node:crypto'
import type { PluginStorage } from '@braidwork/plugin'

/** A stored fact of a conversation. All facts of a conversation have different texts. */
export interface Fact {
  readonly id: string
  readonly text: string
  /** Whether the fact is shown with every request. */
  readonly pinned: boolean
}

export interface StoredFact extends Fact {
  /** The position among the facts. A newer fact has a higher number. */
  readonly order: number
}

/** The content of a conversation's storage. */
export interface Facts {
  /** Oldest first. */
  readonly facts: readonly StoredFact[]
  /** The number of entries that are not valid facts. */
  readonly damaged: number
}

export const MOST_FACTS = 1_000
/** The maximum length of a fact's text, in characters. */
export const MOST_LENGTH = 1_000

const PREFIX = 'fact:'
const KEY = /^fact:([0-9a-f]{8})$/

/** Reads all facts. Each fact has its own storage entry, so that concurrent writes cannot lose another fact. */
export async function readFacts(storage: PluginStorage): Promise<Facts> {
  const keys = await storage.list(PREFIX)
  const read = keys.slice(0, MOST_FACTS).map(async (key) => factsOf(key, await storage.get(key)))
  const facts = (await Promise.all(read)).flat()
  facts.sort((left, right) => left.order - right.order || (left.id < right.id ? -1 : 1))
  return { facts, damaged: keys.length - facts.length }
}

/** The fact in an entry; an empty list if the entry is damaged or not a fact. */
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

/** Deletes all entries, including those that are not valid facts. */
export async function deleteFacts(storage: PluginStorage): Promise<void> {
  const keys = await storage.list(PREFIX)
  await Promise.all(keys.map((key) => storage.delete(key)))
}

/** An id derived from the text, unless another fact has it: an edited fact keeps the id of its first text. */
export function idFor(text: string, facts: readonly Fact[]): string {
  const taken = new Set(facts.map(({ id }) => id))
  for (let count = 0; ; count++) {
    const hash = createHash('sha256').update(JSON.stringify([text, count]))
    const id = hash.digest('hex').slice(0, 8)
    if (!taken.has(id)) return id
  }
}
