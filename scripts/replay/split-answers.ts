import type { Api } from './content.ts'
import { type StreamPiece, typeIn } from './envelope.ts'

const STARTS: { readonly [A in Api]?: string } = {
  messages: 'message_start',
  responses: 'response.created',
}

const ENDS = new Set([
  'message_stop',
  'response.completed',
  'response.incomplete',
  'response.failed',
])

/**
 * Splits a stream that contains several answers. A start event inside an unfinished answer belongs to that answer,
 * since that is how it was recorded.
 */
export function splitAnswers(api: Api, pieces: readonly StreamPiece[]): StreamPiece[][] {
  const answers: StreamPiece[][] = [[]]
  let isOver = false
  for (const piece of pieces) {
    const type = typeIn(piece.data)
    if (isOver && type === STARTS[api]) {
      answers.push([])
      isOver = false
    }
    answers.at(-1)?.push(piece)
    if (type !== undefined && ENDS.has(type)) isOver = true
  }
  return answers
}
