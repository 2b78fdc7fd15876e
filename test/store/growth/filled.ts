import type { Storage } from '../../../src/agent/storage/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import type { Backend } from '../backends.ts'
import { entry, events, OWNER, TALK } from '../stored.ts'

export const RUN = 'run'
const LEASE = { holder: 'h', expiresAt: Number.MAX_SAFE_INTEGER }

/** Storages that a test has opened, each filled with so much of one kind. */
export class Filled {
  readonly #backend: Backend
  readonly #opened = new Set<Storage>()
  /** Those with a long conversation, by its size: it takes a while to make, and nothing changes it. */
  readonly #talks = new Map<number, Storage>()
  #count = 0

  constructor(backend: Backend) {
    this.#backend = backend
  }

  async open(): Promise<Storage> {
    const storage = await openStorage(this.#backend.place())
    this.#opened.add(storage)
    return storage
  }

  async shut(storage: Storage): Promise<void> {
    if (this.#opened.delete(storage)) await storage.close()
  }

  /** All but those with a long conversation. */
  async shutAll(): Promise<void> {
    const kept = new Set(this.#talks.values())
    for (const storage of this.#opened) if (!kept.has(storage)) await this.shut(storage)
  }

  async close(): Promise<void> {
    for (const storage of this.#opened) await this.shut(storage)
    this.#talks.clear()
  }

  /** A name that was not used before. */
  name(): string {
    return `name-${++this.#count}`
  }

  /** A conversation of so many entries. */
  async talk(size: number): Promise<Storage> {
    const made = this.#talks.get(size)
    if (made) return made
    const storage = await this.open()
    this.#talks.set(size, storage)
    await createTalk(storage)
    await storage.conversations.append(OWNER, TALK, { entries: entries(size) }, 2)
    return storage
  }

  /** A run of so many events, that is over. */
  async run(size: number, storage?: Storage, id = RUN): Promise<Storage> {
    const place = storage ?? (await this.open())
    await startRun(place, id)
    await place.runs.append('h', [{ runId: id, events: events(id, 0, size) }])
    const end = { runId: id, holder: 'h', status: 'done', events: [], entries: [] } as const
    await place.runs.end(end, 20)
    return place
  }
}

export function entries(size: number) {
  return Array.from({ length: size }, (_, at) => entry(`e${at}`))
}

export function createTalk({ conversations }: Storage, id = TALK) {
  return conversations.create({ id, owner: OWNER, agent: 'a', sender: 's' }, 1)
}

export function startRun({ runs }: Storage, id: string, more: object = {}) {
  return runs.start({ id, owner: OWNER, order: {}, ...more }, LEASE, { entries: [] }, 10)
}
