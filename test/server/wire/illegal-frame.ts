import { isObject, type JsonObject } from '@braidwork/plugin'
import type { SseFrame } from './frames.ts'

/** A frame that a protocol does not allow where it stands: always a fault of the encoder. */
export class IllegalFrame extends Error {
  override readonly name = 'IllegalFrame'

  constructor(reason: string, frame: string) {
    super(`${reason}: ${frame.slice(0, 500)}`)
  }
}

/** The JSON object of a frame. */
export function objectOf({ data }: SseFrame): JsonObject {
  try {
    const value: unknown = JSON.parse(data)
    if (isObject(value)) return value
  } catch {
    // Said below.
  }
  throw new IllegalFrame('The data of the frame is no JSON object', data)
}

/** An object that must be there. */
export function inner(value: JsonObject, field: string): JsonObject {
  const found = value[field]
  if (isObject(found)) return found
  throw new IllegalFrame(`"${field}" is no object`, JSON.stringify(value))
}
