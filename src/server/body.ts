import { HostError } from '../errors.ts'
import { findJsonFault } from '../events/index.ts'

/**
 * The JSON of a request.
 * @throws {HostError} REQUEST_TOO_LARGE, REQUEST_INVALID
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const value = parse(await readBytes(request, limit))
  const fault = findJsonFault(value)
  if (fault) throw new HostError('REQUEST_INVALID', `The body is refused: ${fault.reason}.`, fault)
  return value
}

/**
 * The bytes of a request, as many as the server takes.
 * @throws {HostError} REQUEST_TOO_LARGE
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const pieces: Uint8Array[] = []
  let size = 0
  const body: AsyncIterable<Uint8Array> | readonly Uint8Array[] = request.body ?? []
  for await (const piece of body) {
    size += piece.byteLength
    if (size > limit) throw tooLarge(limit)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new HostError('REQUEST_INVALID', 'The body is no JSON in UTF-8.', { cause: error })
  }
}

function tooLarge(limit: number): HostError {
  return new HostError('REQUEST_TOO_LARGE', `The body is larger than ${limit} bytes.`)
}
