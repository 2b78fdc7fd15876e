import { constants, type Dirent, type Stats } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type DocumentIndex, indexOf } from './document-index.ts'
import { Pace } from './pace.ts'
import { passagesOf } from './passages.ts'
import { Problem } from './problem.ts'
import { Ranking } from './rank.ts'
import type { SearchState } from './settings.ts'
import { textIn } from './text.ts'

interface Known {
  /** Identifies the state of the file, to detect changes. */
  readonly stamp: string
  readonly index: DocumentIndex
}

/** What an update of the indexes has found so far. */
interface Update {
  readonly found: Map<string, DocumentIndex>
  readonly skipped: string[]
  /** The bytes that may still be read. */
  left: number
  /** The number of documents that did not fit into the total. */
  beyond: number
}

/** The state of the documents in a search. */
export interface Current {
  readonly ranking: Ranking
  /** The paths of documents that could not be read. */
  readonly skipped: readonly string[]
  /** Which limits left documents out. */
  readonly limits: readonly string[]
}

/** Non-blocking, since opening a named pipe would wait for a writer. Links are not followed. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
const DEEPEST = 32
/** The maximum number of entries per folder. */
const MOST_ENTRIES = 100_000

/** The documents of a folder, each with its index. A file is read again only after a change. */
export class Documents {
  readonly #state: SearchState
  readonly #files = new Map<string, Known>()
  #turn: Promise<unknown> = Promise.resolve()
  /** The real path of the folder, looked up once per update. */
  #place: Promise<string> | undefined

  constructor(state: SearchState) {
    this.#state = state
  }

  /** The ranking for the present state of the files. Calls run one after the other. @throws {Problem} */
  current(signal: AbortSignal): Promise<Current> {
    const mine = this.#turn.then(() => this.#refresh(signal))
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  /** A cancelled update keeps the indexes that are complete, and the next one goes on with them. */
  async #refresh(signal: AbortSignal): Promise<Current> {
    const { max_files, max_total_bytes } = this.#state
    const pace = new Pace(signal)
    const update: Update = { found: new Map(), skipped: [], left: max_total_bytes, beyond: 0 }
    const { found, skipped } = update
    const limits: string[] = []
    this.#place = undefined
    for await (const path of this.#paths('', signal, skipped)) {
      if (pace.isDue) await pace.rest()
      if (found.size >= max_files) {
        limits.push(`all after the first ${max_files} documents`)
        break
      }
      await this.#take(path, update, pace)
    }
    if (update.beyond > 0)
      limits.push(`documents beyond a total of ${max_total_bytes} bytes: ${update.beyond}`)
    for (const path of this.#files.keys()) if (!found.has(path)) this.#files.delete(path)
    return { ranking: new Ranking([...found.values()]), skipped, limits }
  }

  /** Takes a document into an update, if it is one and fits into the total. */
  async #take(path: string, update: Update, pace: Pace): Promise<void> {
    const stats = await this.#statsOf(path)
    if (stats && stats.size > update.left) {
      update.beyond++
      return
    }
    const known = stats && (await this.#known(path, stats, pace))
    if (known) {
      update.found.set(path, known.index)
      update.left -= stats.size
    } else {
      update.skipped.push(path)
    }
  }

  async *#paths(
    below: string,
    signal: AbortSignal,
    skipped: string[],
    depth = 0,
  ): AsyncGenerator<string> {
    const folders: string[] = []
    const names: string[] = []
    for (const entry of await this.#entries(below, skipped)) {
      signal.throwIfAborted()
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory() && entry.name !== 'node_modules') folders.push(entry.name)
      else if (entry.isFile() && this.#isDocument(entry.name)) names.push(entry.name)
    }
    for (const name of names.toSorted()) yield join(below, name)
    for (const name of depth < DEEPEST ? folders.toSorted() : [])
      yield* this.#paths(join(below, name), signal, skipped, depth + 1)
  }

  async #entries(below: string, skipped: string[]): Promise<readonly Dirent[]> {
    try {
      const entries: Dirent[] = []
      for await (const entry of await opendir(join(this.#state.root, below))) {
        if (entries.push(entry) >= MOST_ENTRIES) break
      }
      return entries
    } catch (error) {
      if (below === '') {
        const { code = 'unknown' } = error as { readonly code?: string }
        throw new Problem(
          `The folder of documents cannot be opened (${code}); check "settings.search-docs.root".`,
        )
      }
      skipped.push(below)
      return []
    }
  }

  #isDocument(name: string): boolean {
    const lower = name.toLowerCase()
    return this.#state.endings.some((ending) => lower.endsWith(ending))
  }

  /** Whether an open file is really inside the folder: a parent folder may have been replaced by a link. */
  async #isWithin(path: string, { dev, ino }: Stats): Promise<boolean> {
    this.#place ??= realpath(this.#state.root)
    const place = join(await this.#place, path)
    if ((await realpath(place)) !== place) return false
    const there = await lstat(place)
    return there.dev === dev && there.ino === ino
  }

  /** The facts of a file; `undefined` if it is no file, too large or out of reach. */
  async #statsOf(path: string): Promise<Stats | undefined> {
    const stats = await this.#tried(() => lstat(join(this.#state.root, path)))
    return stats?.isFile() && stats.size <= this.#state.max_file_bytes ? stats : undefined
  }

  /** A document, from the cache while it does not change; `undefined` if it is not text. */
  async #known(path: string, stats: Stats, pace: Pace): Promise<Known | undefined> {
    const stamp = stampOf(stats)
    const earlier = this.#files.get(path)
    if (earlier?.stamp === stamp) return earlier
    const text = await this.#tried(() => this.#read(path, stats.size))
    if (text === undefined) return undefined
    const index = await indexOf(passagesOf(path.replaceAll('\\', '/'), text), pace)
    const known = { stamp, index }
    this.#files.set(path, known)
    return known
  }

  async #read(path: string, size: number): Promise<string | undefined> {
    const file = await open(join(this.#state.root, path), READ)
    try {
      const stats = await file.stat()
      if (!stats.isFile() || !(await this.#isWithin(path, stats))) return undefined
      const buffer = Buffer.alloc(size)
      const { bytesRead } = await file.read(buffer, 0, size, 0)
      return textIn(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  }

  /** The result of an access to a file; `undefined` if the system refuses it. */
  async #tried<T>(access: () => Promise<T>): Promise<T | undefined> {
    try {
      return await access()
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === undefined) throw error
      return undefined
    }
  }
}

/** Identifies the state of a file, to detect changes. The change time notices new permissions too. */
function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}
