import type { Api } from './content.ts'

/** A stream event: its text as sent, and the JSON in it. */
export interface StreamPiece {
  readonly text: string
  readonly data: string
}

const DONE = '[DONE]'

/** Adds the API's event stream envelope to recorded events, each a JSON text. */
export function enveloped(api: Api, lines: readonly string[]): readonly StreamPiece[] {
  return lines.map((data) => ({ text: envelope(api, data), data }))
}

/** The text of an event stream, as the API sends it. */
export function streamText(api: Api, lines: readonly string[]): string {
  const text = enveloped(api, lines).map((piece) => piece.text)
  const isDone = api !== 'chat' || lines.at(-1)?.trim() === DONE
  return [...text, ...(isDone ? [] : [envelope(api, DONE)])].join('')
}

/** Splits a stream that was recorded with its envelope into events, byte for byte. */
export function piecesIn(stream: string): readonly StreamPiece[] {
  const blocks = stream.split(/(?<=\n\r?\n|\r\r)/)
  return blocks.map((text) => ({ text, data: dataIn(text) }))
}

/** The type of an event, which may be readable even if the event is not valid JSON. */
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
