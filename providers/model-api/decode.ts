import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Body, valuesOf } from './body.ts'
import { NodeBody } from './node-body.ts'

/** The codings that are decoded, as a server is told. */
export const ACCEPTED = 'gzip, deflate, br'

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** A body without the codings that its header names, the last of which was put on last. */
export function decoded(body: Body, header: string): Body {
  const codings = header.toLowerCase().split(',')
  const decoders = codings.flatMap((coding) => DECODERS.get(coding.trim()) ?? []).reverse()
  if (decoders.length === 0) return body
  const source = decoders.reduce<Readable>(
    // What breaks one of them breaks the last, which is read.
    (coded, decoder) => pipeline(coded, decoder(), () => undefined),
    Readable.from(valuesOf(body), { objectMode: false }),
  )
  const plain = new NodeBody(source)
  return {
    read: () => plain.read(),
    close: () => {
      plain.close()
      // At once: a read that waits holds up the end of what reads it.
      body.close()
    },
  }
}
