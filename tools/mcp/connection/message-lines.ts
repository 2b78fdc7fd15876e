import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { TooLarge } from '../problem.ts'

const LINE_END = 0x0a

/** Checks a parsed line. Throws if it is no message. */
export type ParseMessage = (line: unknown) => JSONRPCMessage

/** Splits the output of a server into messages, one a line. */
export class MessageLines {
  readonly #most: number
  readonly #parse: ParseMessage
  #pieces: Buffer[] = []
  #size = 0

  /** @param most the most bytes of a message */
  constructor(most: number, parse: ParseMessage) {
    this.#most = most
    this.#parse = parse
  }

  /** The messages that a chunk completes. @throws {TooLarge} if a message is too large */
  read(chunk: Buffer, onNoise: (line: string) => void): readonly JSONRPCMessage[] {
    const messages: JSONRPCMessage[] = []
    let rest = chunk
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      this.#keep(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      const message = this.#messageIn(this.#take(), onNoise)
      if (message) messages.push(message)
    }
    this.#keep(rest)
    return messages
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length
    if (this.#size > this.#most) throw new TooLarge(this.#most)
    if (piece.length > 0) this.#pieces.push(piece)
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString('utf8')
    this.#pieces = []
    this.#size = 0
    return line
  }

  #messageIn(line: string, onNoise: (line: string) => void): JSONRPCMessage | undefined {
    if (line.trim() === '') return undefined
    try {
      return this.#parse(JSON.parse(line))
    } catch {
      onNoise(line)
      return undefined
    }
  }
}
