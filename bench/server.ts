/**
 * A model API on loopback, in a process of its own so that its work is nobody else's: streams answers of
 * `CHUNKS` deltas as fast as they are read, or, with `PACE`, so many a second. Prints its port.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventsOf, FORMATS, type Format, formatOf } from './bodies.ts'

const CHUNKS = Number(process.env['CHUNKS'] ?? 20_000)
const PACE = Number(process.env['PACE'] ?? 0)
/** Bytes of a write: about what a TLS record brings. With `FRAMES`, each event is a write, as most APIs send them. */
const PIECE = 16_384
const HAS_FRAMES = process.env['FRAMES'] !== undefined

const events = new Map(FORMATS.map((format) => [format, eventsOf(format, CHUNKS)]))
const bodies = new Map([...events].map(([format, list]) => [format, piecesOf(list)] as const))

function piecesOf(list: readonly string[]): readonly Buffer[] {
  if (HAS_FRAMES) return list.map((event) => Buffer.from(event))
  const body = Buffer.from(list.join(''))
  const count = Math.ceil(body.length / PIECE)
  return Array.from({ length: count }, (_, at) => body.subarray(at * PIECE, (at + 1) * PIECE))
}

function pour(response: ServerResponse, format: Format): void {
  const pieces = bodies.get(format) ?? []
  let at = 0
  const push = (): void => {
    while (at < pieces.length) {
      if (!response.write(pieces[at++])) {
        response.once('drain', push)
        return
      }
    }
    response.end()
  }
  push()
}

/** Where the text of a paced delta stands; the moment of its sending goes there. */
const TEXT = /word\d+ /

/** Milliseconds that two processes of one machine agree on. */
const now = (): number => performance.timeOrigin + performance.now()

function pace(response: ServerResponse, format: Format): void {
  const list = events.get(format) ?? []
  let at = 0
  const timer = setInterval(() => {
    response.write(list[at++]?.replace(TEXT, `${now()} `))
    if (at < list.length) return
    clearInterval(timer)
    response.end()
  }, 1000 / PACE)
  response.once('close', () => clearInterval(timer))
}

const WHOLE = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4.1',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hi there.' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
})

function answer(response: ServerResponse, url: string, body: string): void {
  if (!body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
    return
  }
  const format = formatOf(url)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (PACE > 0) pace(response, format)
  else pour(response, format)
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (piece: string) => {
    body += piece
  })
  request.once('end', () => answer(response, request.url ?? '', body))
})
// Longer than any pause between two answers: a connection that is closed as it is used again is no side's fault.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
process.once('disconnect', () => process.exit())
