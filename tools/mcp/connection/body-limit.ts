import { Transform } from 'node:stream'
import { TooLarge } from '../problem.ts'

/**
 * Passes bytes on up to a limit, for a whole body, or for each event of an event stream. An event that is too large ends
 * the stream with a {@link TooLarge}.
 */
export function limitBody(most: number, isEventStream: boolean): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = isEventStream ? endOfEvent(chunk) : -1
      const whole = size + (end < 0 ? chunk.length : end)
      size = end < 0 ? whole : chunk.length - end
      if (whole <= most) done(null, chunk)
      else done(new TooLarge(most))
    },
  })
}

/** Where the last event that ends in a chunk ends. -1 if none does. */
function endOfEvent(chunk: Buffer): number {
  return Math.max(...['\n\n', '\r\n\r\n', '\r\r'].map((end) => chunk.lastIndexOf(end)))
}
