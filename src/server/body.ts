import { HostError } from '../errors.ts'
import { findJsonFault } from '../events/index.ts'

/**
 * The JSON of a request.
 * @throws {HostError} REQUEST_TOO_LARGE, REQUEST_INVALID
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(request, limit))
  const value = parse(text)
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
  for await (const piece of request.body ?? []) {
    size += piece.byteLength
    if (size > limit) throw tooLarge(limit)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HostError('REQUEST_INVALID', 'The body is no JSON.', { cause: error })
  }
}

function tooLarge(limit: number): HostError {
  return new HostError('REQUEST_TOO_LARGE', `The body is larger than ${limit} bytes.`)
}
