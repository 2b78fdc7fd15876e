import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Body, valuesOf } from './body.ts'
import { NodeBody } from './node-body.ts'

/** The supported content codings, for the `accept-encoding` header. */
export const ACCEPTED = 'gzip, deflate, br'

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Decodes a body. The header lists the content codings in the order in which they were applied. */
export function decoded(body: Body, header: string): Body {
  const codings = header.toLowerCase().split(',')
  const decoders = codings.flatMap((coding) => DECODERS.get(coding.trim()) ?? []).reverse()
  if (decoders.length === 0) return body
  const source = decoders.reduce<Readable>(
    // The error callback does nothing: a failure destroys the whole pipeline, so the reader of the last stream sees it.
    (coded, decoder) => pipeline(coded, decoder(), () => undefined),
    Readable.from(valuesOf(body), { objectMode: false }),
  )
  const plain = new NodeBody(source)
  return {
    read: () => plain.read(),
    close: () => {
      plain.close()
      // Close the source at once. Otherwise a pending read delays the end of the pipeline.
      body.close()
    },
  }
}
