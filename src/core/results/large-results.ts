import type { FilePart, Message, ResultReference, TextPart } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { settle } from '../hooks/index.ts'
import { ownTurn } from '../pace.ts'
import {
  bytesOfFile,
  isNativeOutput,
  isOutputParts,
  MOST_IMAGE,
  type OutputParts,
  splitFiles,
  textOfParts,
} from './output-parts.ts'
import { previewOf } from './preview.ts'
import { isLarger } from './result-size.ts'
import type { ResultStore, StoredResult } from './result-store.ts'
import type { ToldResults } from './told-results.ts'

/** The most bytes of a result that is stored. Encoding and hashing more would block the event loop too long. */
const LARGEST = 16 << 20
/** If an output has more files that are too large, it is stored as one JSON text. */
const MOST_FILES = 16

/** An output for the model in which all that is too large has been replaced by previews. */
export interface KeptOutput {
  readonly output: unknown
  /** What the previews stand for. */
  readonly references: readonly ResultReference[]
}

/** A large result that could not be stored. The message is for the model. */
export class ResultLost extends Error {}

/** What {@link LargeResults} depends on. */
export interface LargeResultsParts {
  readonly store: ResultStore
  /** The most bytes of a result that is not stored. */
  readonly limit: number
  /** The name of the tool that reads results. Undefined if the model cannot have it. */
  readonly readerName: () => string | undefined
  /** The results that a feature may show the model only in part. Absent if none does. */
  readonly told?: ToldResults | undefined
}

/** The results of an opened config's tools that are too large for the model. LT-09 */
export class LargeResults {
  readonly limit: number
  readonly #parts: LargeResultsParts
  #hasSome = false
  #last: { readonly hash: string; readonly result: StoredResult } | undefined

  constructor(parts: LargeResultsParts) {
    this.#parts = parts
    this.limit = parts.limit
  }

  /** Whether there is a result that the model can read on from. */
  get hasSome(): boolean {
    return this.#hasSome || this.#parts.told?.hasLong === true
  }

  /** Takes note of the references in messages. */
  note(messages: readonly Message[]): void {
    this.#parts.told?.note(messages)
    if (this.#hasSome || this.#parts.store.isEmpty?.()) return
    // The summary of a compaction refers to the messages that it replaces, and to results in them.
    this.#hasSome = messages.some(
      ({ parts, metadata }) =>
        metadata?.['compaction'] !== undefined ||
        parts.some((part) => part.type === 'tool-result' && part.references !== undefined),
    )
  }

  /** Returns a stored result. The one that was read last stays in memory, since a model reads on from it. */
  async load(hash: string): Promise<StoredResult | undefined> {
    if (this.#last?.hash === hash) return this.#last.result
    const { store, told } = this.#parts
    const result = (await store.load(hash)) ?? (await told?.find(hash))
    if (result) this.#last = { hash, result }
    return result
  }

  /**
   * Stores what is too large in an output.
   * @throws {ResultLost} if it cannot be stored
   */
  async keep(output: unknown, signal: AbortSignal): Promise<KeptOutput> {
    if (!isLarger(output, this.limit)) return { output, references: [] }
    if (isNativeOutput(output) && !isLarger(output.native, MOST_IMAGE)) {
      const { native, output: own = null } = output
      const kept = await this.keep(own, signal)
      return { ...kept, output: { native, output: kept.output } }
    }
    if (!isOutputParts(output)) return this.#keepText(output, signal)
    const files = splitFiles(output, this.limit)
    if (files.large.length > MOST_FILES) return this.#keepText(output, signal)
    return this.#keepParts(output, files, signal)
  }

  /** A value in place of which a large one's preview is shown. Nothing is stored. */
  shown(value: unknown): unknown {
    if (!isLarger(value, this.limit)) return value
    if (isLarger(value, LARGEST)) return `[more than ${LARGEST} bytes]`
    const bytes = bytesOfText(value)
    return previewText(bytes, this.limit, `[${bytes.byteLength} bytes. The beginning:]`)
  }

  async #keepText(value: unknown, signal: AbortSignal): Promise<KeptOutput> {
    assertStorable(value)
    await ownTurn()
    const bytes = bytesOfText(value)
    const mediaType = typeof value === 'string' ? 'text/plain' : 'application/json'
    const size = bytes.byteLength
    const lost = (reason: string) =>
      previewText(bytes, this.limit, `${lostText(size, reason)} The beginning:`)
    const reference = await this.#put({ mediaType, bytes }, lost, signal)
    const { next } = previewOf(bytes, this.limit)
    const advice = this.#advice({ reference: reference.hash, offset: next })
    const head = `[The result has ${size} bytes. It is stored as "${reference.hash}".${advice} The beginning:]`
    return { output: previewText(bytes, this.limit, head), references: [reference] }
  }

  async #keepParts(
    parts: OutputParts,
    { kept, large }: { readonly kept: readonly FilePart[]; readonly large: readonly FilePart[] },
    signal: AbortSignal,
  ): Promise<KeptOutput> {
    const texts = textOfParts(parts)
    const text = await this.keep(texts, signal)
    if (large.length === 0 && text.references.length === 0) {
      return { output: parts, references: [] }
    }
    const references = [...text.references]
    const shown: TextPart[] = texts === '' ? [] : [{ type: 'text', text: String(text.output) }]
    for (const file of large) {
      const reference = await this.#putFile(file, signal)
      references.push(reference)
      shown.push({ type: 'text', text: this.#textOfFile(file, reference) })
    }
    return { output: [...shown, ...kept.map(bare)], references }
  }

  async #putFile(file: FilePart, signal: AbortSignal): Promise<ResultReference> {
    assertStorable(file.data ?? file.url)
    await ownTurn()
    const result = bytesOfFile(file)
    return this.#put(result, (reason) => lostText(result.bytes.byteLength, reason), signal)
  }

  async #put(
    result: StoredResult,
    lost: (reason: string) => string,
    signal: AbortSignal,
  ): Promise<ResultReference> {
    try {
      await ownTurn()
      const hash = await settle(this.#parts.store.put(result), { signal })
      this.#hasSome = true
      return { hash, mediaType: result.mediaType, size: result.bytes.byteLength }
    } catch (error) {
      if (signal.aborted) throw error
      throw new ResultLost(lost(messageOf(error)), { cause: error })
    }
  }

  #textOfFile({ name, mediaType }: FilePart, { hash, size }: ResultReference): string {
    const named = name === undefined ? '' : ` ${JSON.stringify(name.slice(0, 100))}`
    const kind = mediaType.slice(0, 100)
    return `[The file${named} (${kind}, ${size} bytes) is stored as "${hash}".${this.#advice({ reference: hash })}]`
  }

  #advice(input: object): string {
    const name = this.#parts.readerName()
    return name === undefined ? '' : ` Read on with the tool "${name}": ${JSON.stringify(input)}.`
  }
}

/** A file without members that no provider sends. */
function bare({ type, mediaType, data, url, name }: FilePart): FilePart {
  return {
    type,
    mediaType,
    ...(data === undefined ? {} : { data }),
    ...(url === undefined ? {} : { url }),
    ...(name === undefined ? {} : { name: name.slice(0, 255) }),
  }
}

/** @throws {ResultLost} */
function assertStorable(value: unknown): void {
  if (!isLarger(value, LARGEST)) return
  throw new ResultLost(
    `The tool ran, but its result was dropped, because it has more than ${LARGEST} bytes, the most that is stored.`,
  )
}

function lostText(size: number, reason: string): string {
  return `The tool ran, but its result of ${size} bytes could not be stored: ${reason}`
}

function previewText(bytes: Uint8Array, limit: number, head: string): string {
  const { beginning, end, left } = previewOf(bytes, limit)
  return `${head}\n${beginning}\n[${left} bytes left out. The end:]\n${end}`
}

function bytesOfText(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}
