import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { SocketCom } from '../../src/python/com.ts'
import type { Message } from '../../src/python/pythonia.ts'

/** Hears what Python writes, in pieces, to the end. The result is the number of messages. */
export function hearing(pieces: readonly string[]): () => Promise<number> {
  return async () => {
    const socket = Readable.from(pieces.map((piece) => Buffer.from(piece)))
    let heard = 0
    const com = new SocketCom(socket as ConstructorParameters<typeof SocketCom>[0], () => heard++)
    com.register('c', () => {
      heard++
      return undefined
    })
    await finished(socket)
    return heard
  }
}

/** A text in pieces of a size. */
export function cut(text: string, size: number): readonly string[] {
  const count = Math.ceil(text.length / size)
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size))
}

/** A message of Python with a value. */
export const message = (value: unknown): string =>
  `${JSON.stringify({ c: 'c', v: value } satisfies Message)}\n`
