import { isUtf8 } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ownTurn } from '@braidwork/core/internal'
import { findJsonFault, HostError } from '@braidwork/plugin'
import { countReceived, countSize } from '../bodies.ts'
import type { BodyLimits } from '../options/index.ts'
import { openBody } from './body-pieces.ts'
import { JsonScan } from './json-scan.ts'
import { ReceivedBytes } from './received-bytes.ts'
import { discardRest } from './refused-body.ts'
import { release } from './release.ts'
import { checkSize } from './request-size.ts'

/** A body with more bytes than this is processed in several turns of the event loop. */
const LARGE = 64 * 1024
/** So is a body with more JSON values than this. */
const MANY = 2000
/** The number of bytes decoded in one turn. Characters of several bytes take long to decode. */
const SLICE = 1 << 20

const ALREADY_READ =
  'The body of the request has already been read. Mount the route before body parsers, such as express.json().'

/** What the error of a body that is too large says. */
interface TooLarge {
  /** The key of the config that sets the limit, or false if none does. The default for JSON is `limits.body`. */
  readonly name?: string | false
  /** What the client can send instead, as whole sentences. */
  readonly remedy?: string
}

/**
 * Reads the JSON body of a request. Counts values and depth while the bytes arrive, so that a body over a limit is
 * refused before it is parsed.
 * @throws {HostError} REQUEST_TOO_LARGE, REQUEST_INVALID, ENCODING_UNSUPPORTED; TOO_MANY_REQUESTS, because a large body
 * counts as several requests
 */
export async function readJson(
  request: Request,
  limits: BodyLimits,
  told: TooLarge = {},
): Promise<unknown> {
  const scan = new JsonScan()
  const most = { most: limits.body, name: 'limits.body', ...told }
  const bytes = await readPieces(request, most, async (piece) => {
    for (let at = 0; at < piece.length; at += LARGE) {
      if (at > 0) await nextTurn()
      scan.add(piece.subarray(at, at + LARGE))
      checkScan(scan, limits)
    }
  })
  countSize(request, { bytes: bytes.length, values: scan.values })
  const isLarge = bytes.length > LARGE || scan.values > MANY
  const turn = isLarge ? ownTurn : async () => undefined
  const text = await decode(bytes, turn)
  release(bytes)
  await turn()
  const value = parse(text)
  await turn()
  const fault = findJsonFault(value)
  if (fault) throw new HostError('REQUEST_INVALID', `The body is refused: ${fault.reason}.`, fault)
  checkSize(value, scan, limits)
  await turn()
  return value
}

/**
 * Reads the body of a request as bytes, up to `limit`.
 * @throws {HostError} REQUEST_TOO_LARGE, TOO_MANY_REQUESTS, ENCODING_UNSUPPORTED; REQUEST_INVALID if the client
 * disconnects before the end
 */
export function readBytes(request: Request, limit: NamedLimit): Promise<Uint8Array> {
  return readPieces(request, limit, () => undefined)
}

/** The most bytes of a body, and the key of the config that sets exactly these, for the error. */
export interface NamedLimit extends TooLarge {
  readonly most: number
}

async function readPieces(
  request: Request,
  limit: NamedLimit,
  take: (piece: Uint8Array) => undefined | Promise<void>,
): Promise<Uint8Array> {
  const { most } = limit
  assertPlain(request)
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(limit)
  const pieces = openBody(request)
  if (!pieces) throw new HostError('REQUEST_INVALID', ALREADY_READ)
  const received = new ReceivedBytes(most, pieces.release)
  try {
    for (let piece = await pieces.next(); piece; piece = await pieces.next()) {
      if (received.size + piece.byteLength > most) throw tooLarge(limit)
      countReceived(request, piece.byteLength)
      await take(piece)
      received.add(piece)
    }
  } catch (error) {
    received.clear()
    await discardRest(pieces)
    throw error
  }
  // Of a body that a body parser has read, Node's server gives nothing more.
  if (received.size === 0 && Number(request.headers.get('content-length') ?? 0) > 0) {
    throw new HostError('REQUEST_INVALID', ALREADY_READ)
  }
  return received.whole()
}

/** A compressed body of some bytes may expand to any size. @throws {HostError} ENCODING_UNSUPPORTED */
function assertPlain({ headers }: Request): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return
  const message = 'The server takes no compressed bodies. Send the body without "Content-Encoding".'
  throw new HostError('ENCODING_UNSUPPORTED', message, { pointer: '/Content-Encoding' })
}

/** @throws {HostError} REQUEST_TOO_LARGE, REQUEST_INVALID */
function checkScan({ values, deepest }: JsonScan, limits: BodyLimits): void {
  if (values > limits.values) {
    const message = `The body has more than ${limits.values} values, the limit in the server's "limits.values".`
    throw new HostError('REQUEST_TOO_LARGE', message)
  }
  if (deepest <= limits.depth) return
  const message = `The body is nested deeper than ${limits.depth} levels, the limit in the server's "limits.depth".`
  throw new HostError('REQUEST_INVALID', message)
}

const BYTE_ORDER_MARK = '\ufeff'

async function decode(bytes: Uint8Array, turn: () => Promise<void>): Promise<string> {
  await turn()
  if (!isUtf8(bytes)) throw new HostError('REQUEST_INVALID', 'The body must be JSON in UTF-8.')
  const decoder = new StringDecoder()
  let text = ''
  for (let at = 0; at < bytes.length; at += SLICE) {
    if (at > 0) await turn()
    text += decoder.write(
      Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(SLICE, bytes.length - at)),
    )
  }
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HostError('REQUEST_INVALID', 'The body must be JSON in UTF-8.', { cause: error })
  }
}

function tooLarge({ most, name, remedy }: NamedLimit): HostError {
  const of = name ? `, the limit in the server's "${name}"` : ''
  const message = `The body is larger than ${most} bytes${of}.`
  return new HostError('REQUEST_TOO_LARGE', remedy ? `${message} ${remedy}` : message)
}
