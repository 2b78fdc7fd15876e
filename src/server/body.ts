import { isUtf8 } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ownTurn } from '@braidwork/core/internal'
import { findJsonFault, HostError } from '@braidwork/plugin'
import { countReceived, countSize } from './bodies.ts'
import { openBody } from './body-pieces.ts'
import { JsonScan } from './json-scan.ts'
import { ReceivedBytes } from './received-bytes.ts'
import { discardRest } from './refused-body.ts'
import { release } from './release.ts'
import { checkSize } from './request-size.ts'
import type { BodyLimits } from './server-options.ts'

/** Bytes from which on a body is read in turns of its own. */
const LARGE = 64 * 1024
/** Values from which on it is. */
const MANY = 2000
/** Bytes that are made text in one turn: signs of several bytes take long. */
const SLICE = 1 << 20

/**
 * The JSON of a request. What it holds is counted while it arrives: a body that holds too much is refused before
 * it is read as JSON.
 * @throws {HostError} REQUEST_TOO_LARGE, REQUEST_INVALID; TOO_MANY_REQUESTS, as a large body counts as many
 */
export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  const scan = new JsonScan()
  const bytes = await readPieces(request, limits.body, async (piece) => {
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
 * The bytes of a request, as many as the server takes.
 * @throws {HostError} REQUEST_TOO_LARGE, TOO_MANY_REQUESTS; REQUEST_INVALID where the client leaves before the end
 */
export function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  return readPieces(request, limit, () => undefined)
}

async function readPieces(
  request: Request,
  limit: number,
  take: (piece: Uint8Array) => undefined | Promise<void>,
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const pieces = openBody(request)
  if (!pieces) throw new HostError('REQUEST_INVALID', 'The body was read before.')
  const received = new ReceivedBytes(limit, pieces.release)
  try {
    for (let piece = await pieces.next(); piece; piece = await pieces.next()) {
      if (received.size + piece.byteLength > limit) throw tooLarge(limit)
      countReceived(request, piece.byteLength)
      await take(piece)
      received.add(piece)
    }
  } catch (error) {
    received.clear()
    await discardRest(pieces)
    throw error
  }
  return received.whole()
}

/** @throws {HostError} REQUEST_TOO_LARGE, REQUEST_INVALID */
function checkScan({ values, deepest }: JsonScan, limits: BodyLimits): void {
  if (values > limits.values) {
    const message = `The body holds more than ${limits.values} values, the server's "limits.values".`
    throw new HostError('REQUEST_TOO_LARGE', message)
  }
  if (deepest <= limits.depth) return
  const message = `The body is refused: nested deeper than ${limits.depth} levels, the server's "limits.depth".`
  throw new HostError('REQUEST_INVALID', message)
}

const BYTE_ORDER_MARK = '\ufeff'

async function decode(bytes: Uint8Array, turn: () => Promise<void>): Promise<string> {
  await turn()
  if (!isUtf8(bytes)) throw new HostError('REQUEST_INVALID', 'The body is no JSON in UTF-8.')
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
    throw new HostError('REQUEST_INVALID', 'The body is no JSON in UTF-8.', { cause: error })
  }
}

function tooLarge(limit: number): HostError {
  return new HostError('REQUEST_TOO_LARGE', `The body is larger than ${limit} bytes.`)
}
