import { createHash } from 'node:crypto'
import type { Message, ToolResultPart } from '@braidwork/plugin'
import { ownTurn } from '../pace.ts'
import { isNativeOutput, isOutputParts, textOfParts } from './output-parts.ts'
import { isLarger } from './result-size.ts'
import type { StoredResult } from './result-store.ts'

/** Results with fewer bytes are never shown only in part. */
const LEAST_BYTES = 2048

/**
 * The results of tools that the messages of a request have whole. A feature that shows the model only a part of one
 * names the SHA-256 of its text, so nothing needs to be stored for it. AW-44
 */
export class ToldResults {
  readonly #seen = new WeakSet<Message>()
  #messages: readonly Message[] = []
  #hasLong = false

  /** Whether one of the results is so long that a feature may shorten it. */
  get hasLong(): boolean {
    return this.#hasLong
  }

  note(messages: readonly Message[]): void {
    this.#messages = messages
    for (const message of messages) {
      if (this.#hasLong) return
      // A run repeats its messages in each request.
      if (this.#seen.has(message)) continue
      this.#seen.add(message)
      this.#hasLong = longResults(message).length > 0
    }
  }

  /** Finds a result by the SHA-256 of its text. */
  async find(hash: string): Promise<StoredResult | undefined> {
    for (const part of this.#messages.flatMap(longResults)) {
      await ownTurn()
      const result = resultOf(part)
      if (createHash('sha256').update(result.bytes).digest('hex') === hash) return result
    }
    return undefined
  }
}

function longResults({ parts }: Message): readonly ToolResultPart[] {
  return parts.filter(
    (part): part is ToolResultPart =>
      part.type === 'tool-result' &&
      part.references === undefined &&
      !isNativeOutput(part.output) &&
      isLarger(part.output, LEAST_BYTES),
  )
}

function resultOf({ output }: ToolResultPart): StoredResult {
  if (typeof output === 'string') return { mediaType: 'text/plain', bytes: Buffer.from(output) }
  if (isOutputParts(output)) {
    return { mediaType: 'text/plain', bytes: Buffer.from(textOfParts(output)) }
  }
  return { mediaType: 'application/json', bytes: Buffer.from(JSON.stringify(output) ?? '') }
}
