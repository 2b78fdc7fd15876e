import type { FileHandle } from 'node:fs/promises'
import { inFolder, openFile, splitPath } from './folder.ts'
import { Problem } from './problem.ts'
import { assertNotConfig, assertReadable } from './protection.ts'
import type { FilesScope } from './settings.ts'

export interface ReadInput {
  readonly path: string
  readonly from_line?: number
  readonly to_line?: number
}

const CHUNK = 64 * 1024
/** To reach a later line, a read may skip this many times the number of bytes that it may show. */
const REACH = 64

/** Reads lines of a text file, up to the size limit. @throws {Problem} */
export async function readFile(
  input: ReadInput,
  state: FilesScope,
  signal: AbortSignal,
): Promise<object> {
  const { path, from_line: from = 1, to_line: to = Number.MAX_SAFE_INTEGER } = input
  if (to < from) throw new Problem(`"to_line" (${to}) is before "from_line" (${from}).`)
  const { folder, name } = splitPath(path)
  const names = [...folder, name]
  assertReadable(names, state)
  return inFolder(state.root, folder, async (opened) => {
    await assertNotConfig(opened, names, state)
    const { file, stats } = await openFile(opened, name, path)
    try {
      const lines = new Lines(from, to, state.max_bytes)
      const most = state.max_bytes * REACH
      for await (const chunk of chunksOf(file, most, signal)) {
        if (lines.isFresh && isBinary(chunk)) return { path, bytes: stats.size, is_binary: true }
        if (lines.add(chunk)) break
      }
      return { path, ...lines.shown() }
    } finally {
      await file.close()
    }
  })
}

/**
 * Reads a whole text file. @throws {Problem} if it is too large, or is not UTF-8 and could not be written back
 * unchanged
 */
export async function readWhole(
  file: FileHandle,
  path: string,
  most: number,
  signal: AbortSignal,
): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(file, most + 1, signal)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (bytes.length > most) throw new Problem(`"${path}" is larger than ${most} bytes.`)
  try {
    if (isBinary(bytes)) throw new TypeError('binary')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Problem(`"${path}" is not UTF-8 text.`)
  }
}

/** The bytes of a file from its beginning, up to a maximum, until the call is cancelled. */
export async function* chunksOf(
  file: FileHandle,
  most: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < most; ) {
    signal.throwIfAborted()
    const buffer = Buffer.alloc(Math.min(CHUNK, most - at))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0)
}

/** Collects the requested lines of a file that is read in chunks. */
class Lines {
  readonly #from: number
  readonly #to: number
  readonly #most: number
  readonly #kept: Buffer[] = []
  #line = 1
  #size = 0
  #isCut = false
  #isFresh = true

  constructor(from: number, to: number, most: number) {
    this.#from = from
    this.#to = to
    this.#most = most
  }

  get isFresh(): boolean {
    return this.#isFresh
  }

  /** Adds a chunk. @returns true when all requested lines were found */
  add(chunk: Buffer): boolean {
    this.#isFresh = false
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(10, at)
      const end = newline === -1 ? chunk.length : newline + 1
      if (this.#line >= this.#from && !this.#keep(chunk.subarray(at, end))) return true
      if (newline !== -1) this.#line++
      if (this.#line > this.#to) return true
      at = end
    }
    return false
  }

  shown(): object {
    // The cut may be within a multi-byte character.
    const text = Buffer.concat(this.#kept)
      .toString('utf8')
      .replace(/\uFFFD$/, '')
    const from = this.#from
    if (text === '' && from > 1)
      return {
        text,
        note: `Line ${from} cannot be shown: the file ends before it, or the line is too far down.`,
      }
    const last = from + text.replace(/\n$/, '').split('\n').length - 1
    const next =
      last > from ? `continue with "from_line": ${last}` : 'the line is longer than the limit'
    const note = `Only a part is shown; ${next}.`
    return { from_line: from, to_line: last, text, ...(this.#isCut ? { note } : {}) }
  }

  #keep(piece: Buffer): boolean {
    const room = this.#most - this.#size
    this.#isCut = piece.length > room
    const kept = this.#isCut ? piece.subarray(0, room) : piece
    this.#kept.push(kept)
    this.#size += kept.length
    return !this.#isCut
  }
}
