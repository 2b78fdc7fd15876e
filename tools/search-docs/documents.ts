import { constants, type Dirent, type Stats } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type Passage, passagesOf } from './passages.ts'
import { Problem } from './problem.ts'
import { Ranking } from './rank.ts'
import type { SearchState } from './settings.ts'

interface Known {
  /** Identifies the state of the file, to detect changes. */
  readonly stamp: string
  readonly passages: readonly Passage[]
}

/** Non-blocking, since opening a named pipe would wait for a writer. Links are not followed. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
const DEEPEST = 32
/** The maximum number of entries per folder. */
const MOST_ENTRIES = 100_000

/** The documents of a folder and their ranking. The ranking is rebuilt only when a file has changed. */
export class Documents {
  readonly #state: SearchState
  #files = new Map<string, Known>()
  #ranking = new Ranking([])
  #turn: Promise<unknown> = Promise.resolve()
  /** The real path of the folder, looked up once per update. */
  #place: Promise<string> | undefined

  constructor(state: SearchState) {
    this.#state = state
  }

  /** The ranking for the present state of the files. Calls run one after the other. @throws {Problem} */
  current(signal: AbortSignal): Promise<{ ranking: Ranking; skipped: readonly string[] }> {
    const mine = this.#turn.then(() => this.#refresh(signal))
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  async #refresh(signal: AbortSignal) {
    const files = new Map<string, Known>()
    const skipped: string[] = []
    this.#place = undefined
    for await (const path of this.#paths('', signal, skipped)) {
      if (files.size >= this.#state.max_files) {
        skipped.push(`all after the first ${this.#state.max_files} documents`)
        break
      }
      const known = await this.#read(path).catch(() => undefined)
      if (known) files.set(path, known)
      else skipped.push(path)
    }
    const isSame =
      files.size === this.#files.size &&
      [...files].every(([path, known]) => this.#files.get(path) === known)
    if (!isSame)
      this.#ranking = new Ranking([...files.values()].flatMap(({ passages }) => passages))
    this.#files = files
    return { ranking: this.#ranking, skipped }
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

  /** A document's passages, cached while it does not change; `undefined` if it is not text or is too large. */
  async #read(path: string): Promise<Known | undefined> {
    const file = await open(join(this.#state.root, path), READ)
    try {
      const stats = await file.stat()
      const { ino, size, mtimeMs } = stats
      if (!stats.isFile() || size > this.#state.max_file_bytes) return undefined
      const stamp = `${ino} ${size} ${mtimeMs}`
      const known = this.#files.get(path)
      if (known?.stamp === stamp) return known
      if (!(await this.#isWithin(path, stats))) return undefined
      const buffer = Buffer.alloc(size)
      const { bytesRead } = await file.read(buffer, 0, size, 0)
      const bytes = buffer.subarray(0, bytesRead)
      if (bytes.includes(0)) return undefined
      const text = new TextDecoder().decode(bytes)
      return { stamp, passages: passagesOf(path.replaceAll('\\', '/'), text) }
    } finally {
      await file.close()
    }
  }
}
