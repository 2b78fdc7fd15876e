import type { Api } from './content.ts'

/** An event of a stream: as it is sent, and the JSON in it. */
export interface StreamPiece {
  readonly text: string
  readonly data: string
}

const DONE = '[DONE]'

/** Recorded events, one JSON text each, with the envelope in which their API sends them. */
export function enveloped(api: Api, lines: readonly string[]): readonly StreamPiece[] {
  return lines.map((data) => ({ text: envelope(api, data), data }))
}

/** A stream of events with its envelope, as the API sends it. */
export function streamText(api: Api, lines: readonly string[]): string {
  const text = enveloped(api, lines).map((piece) => piece.text)
  const isDone = api !== 'chat' || lines.at(-1)?.trim() === DONE
  return [...text, ...(isDone ? [] : [envelope(api, DONE)])].join('')
}

/** The events of a stream that was recorded with its envelope, each with every byte of its own. */
export function piecesIn(stream: string): readonly StreamPiece[] {
  const blocks = stream.split(/(?<=\n\r?\n|\r\r)/)
  return blocks.map((text) => ({ text, data: dataIn(text) }))
}

/** The type that an event says it has; one that is no JSON may say so too. */
export function typeIn(data: string): string | undefined {
  try {
    const event: unknown = JSON.parse(data)
    const type = typeof event === 'object' && event !== null && 'type' in event && event.type
    return typeof type === 'string' && /^[\w.-]+$/.test(type) ? type : undefined
  } catch {
    return /"type"\s*:\s*"([\w.-]+)"/.exec(data)?.[1]
  }
}

function envelope(api: Api, data: string): string {
  const type = api === 'chat' ? undefined : typeIn(data)
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}

function dataIn(block: string): string {
  return block
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n')
}
