import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { observe } from './dispatcher.ts'
import { type Exchange, writeExchanges } from './exchange-file.ts'
import type { Noted } from './noted.ts'
import { observePython } from './python-exchanges.ts'
import {
  keptHeaders,
  type Scrub,
  scrubbedPieces,
  scrubbedUrl,
  scrubbing,
  secretsIn,
} from './scrub.ts'

/** Records exchanges over HTTP until it is stopped. */
export interface Recorder {
  /**
   * The exchanges so far whose responses have begun, in the order of the requests. Keys in headers and in addresses are
   * removed wherever they occur.
   * @param mask removes further secrets from a text, such as `host.maskTexts`
   */
  exchanges(mask?: (text: string) => string): readonly Exchange[]
  /** Writes the exchanges to a new file, or over an old one, once responses whose readers left are read to their ends. */
  write(path: string, options?: WriteOptions): Promise<void>
  stop(): void
}

export interface WriteOptions {
  /** Removes further secrets from a text, such as `host.maskTexts`. */
  readonly mask?: (text: string) => string
  /** Whether the file may be there already. */
  readonly replaces?: boolean
}

/**
 * Records the exchanges of plugins: those of this process that go over the connections of Node's `fetch`, and those in
 * Python with `http.client`, `urllib`, `requests`, `httpx` or `httpx2`, in interpreters that start from here on. Responses are
 * asked for without compression, so that their pieces are those of the model API.
 */
export function recordExchanges(): Recorder {
  const all: Noted[] = []
  const note = (noted: Noted): void => void all.push(noted)
  const stops = [observe(note), observePython(note)]
  const exchanges = (mask: Scrub = (text) => text): readonly Exchange[] => {
    const begun = all.filter(({ status }) => status >= 200)
    const own = scrubbing(begun.flatMap(({ headers, url }) => secretsIn(headers, url)))
    return begun.map((noted) => exchangeOf(noted, (text) => mask(own(text))))
  }
  return {
    exchanges,
    write: async (path, { mask, replaces = false } = {}) => {
      await Promise.all(all.flatMap(({ readOn }) => readOn ?? []))
      await writeExchanges(path, exchanges(mask), { replaces })
    },
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

function exchangeOf(noted: Noted, scrub: Scrub): Exchange {
  const { method, url, headers, sent, status, responseHeaders, isEnded } = noted
  const asked = scrub(Buffer.concat(sent).toString('utf8'))
  return {
    request: {
      method,
      url: scrubbedUrl(url, scrub),
      headers: keptHeaders(headers, scrub),
      ...(asked === '' ? {} : { body: jsonOr(asked) }),
    },
    response: {
      status,
      headers: keptHeaders(responseHeaders, scrub),
      ...bodyOf(noted, scrub),
      ...(isEnded ? {} : { is_cut: true }),
    },
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function bodyOf(
  { received, responseHeaders }: Noted,
  scrub: Scrub,
): Pick<Exchange['response'], 'body' | 'encoding'> {
  const bytes = decoded(received, responseHeaders.get('content-encoding'))
  const pieces = textsOf(bytes)
  if (pieces) return { body: scrubbedPieces(pieces, scrub) }
  return { encoding: 'base64', body: bytes.map((piece) => Buffer.from(piece).toString('base64')) }
}

const DECODERS: { readonly [encoding: string]: (bytes: Buffer) => Buffer } = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

/** Some servers compress although they were asked not to; the pieces are lost then. */
function decoded(pieces: readonly Uint8Array[], encoding = ''): readonly Uint8Array[] {
  const decode = DECODERS[encoding]
  return decode ? [decode(Buffer.concat(pieces))] : pieces
}

/** The pieces as texts, with characters that lie across two of them in the later one. Undefined if they are no texts. */
function textsOf(pieces: readonly Uint8Array[]): readonly string[] | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }))
    return [...texts, decoder.decode()].filter((text) => text !== '')
  } catch {
    return undefined
  }
}
