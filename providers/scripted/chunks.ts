import type { Plan } from './answer.ts'
import type { Chunk, Content } from './native.ts'
import { piecesOf, tokensOf } from './tokens.ts'

/** The chunks of an answer; `end` is the last. */
export function chunksOf({ answer, chunks }: Plan): Chunk[] {
  const { content, finish_reason, usage, metadata } = answer
  const split = (text: string) => (chunks ? piecesOf(text, chunks) : tokensOf(text))
  return [
    ...content.flatMap((part, index) => contentChunks(part, index, split)),
    { type: 'end', finish_reason, usage, ...(metadata ? { metadata } : {}) },
  ]
}

function contentChunks(part: Content, index: number, split: (text: string) => string[]): Chunk[] {
  switch (part.type) {
    case 'text':
      return split(part.text).map((text) => ({ type: 'text', index, text }))
    case 'reasoning':
      return split(part.text).map((text) => ({ type: 'reasoning', index, text, id: part.id }))
    case 'tool_call': {
      const { arguments: text, ...call } = part
      return [
        { ...call, index },
        ...split(text).map((piece) => ({ type: 'arguments', index, text: piece }) as const),
      ]
    }
    default:
      return [{ type: 'content', index, content: part }]
  }
}
