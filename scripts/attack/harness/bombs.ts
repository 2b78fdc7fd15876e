import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { ApiForm } from './api-forms.ts'
import type { BombName } from './bomb-names.ts'

type Bomb = (response: ServerResponse, form: ApiForm) => Promise<void>

const CALLS = 20_000
/** Milliseconds between two empty chunks, so that `stream_idle` never expires. */
const HALF_SECOND = 500
/** Milliseconds after which a reader that is still reading has failed. */
const MOST_TIME = 120_000
const STREAM = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }
const BLOCK = 'x'.repeat(1 << 16)
const ZEROS = 64 << 20

/** Malformed model answers, by name. */
export const BOMBS: { readonly [name in BombName]: Bomb } = {
  'endless-json': (response) => {
    response.writeHead(200, JSON_TYPE)
    return endless(response, '{"id":"', BLOCK)
  },
  'endless-error': (response) => {
    response.writeHead(400, JSON_TYPE)
    return endless(response, '{"error":{"message":"', BLOCK)
  },
  'gzip-json': (response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
    return endless(response, '', zipped(' '))
  },
  'gzip-stream': (response) => {
    response.writeHead(200, { ...STREAM, 'content-encoding': 'gzip' })
    return endless(response, '', zipped('x'))
  },
  'endless-line': (response) => {
    response.writeHead(200, STREAM)
    return endless(response, 'data: {"x":"', BLOCK)
  },
  'endless-data': (response) => {
    response.writeHead(200, STREAM)
    return endless(response, '', 'data: "x"\n'.repeat(5000))
  },
  'endless-deltas': (response, form) => {
    response.writeHead(200, STREAM)
    return endless(response, form.begin, form.text('word ').repeat(500))
  },
  'many-calls': async (response, form) => {
    response.writeHead(200, STREAM)
    response.write(form.begin)
    const calls = Array.from({ length: CALLS }, (_, index) => form.call(index))
    response.end(`${calls.join('')}${form.end}`)
  },
  'empty-chunks': async (response, form) => {
    response.writeHead(200, STREAM)
    response.write(form.begin)
    const limit = performance.now() + MOST_TIME
    while (!response.destroyed && performance.now() < limit) {
      response.write(form.empty)
      await new Promise((resolve) => setTimeout(resolve, HALF_SECOND))
    }
    response.destroy()
  },
}

/** Sends as fast as the reader reads, until it disconnects. */
async function endless(
  response: ServerResponse,
  begin: string,
  block: string | Buffer,
): Promise<void> {
  response.write(begin)
  const limit = performance.now() + MOST_TIME
  while (!response.destroyed && performance.now() < limit) {
    if (response.write(block)) await new Promise(setImmediate)
    else await drained(response)
  }
  response.destroy()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

const made = new Map<string, Buffer>()

/** Compressed data that is much larger when decompressed. */
function zipped(character: string): Buffer {
  const known = made.get(character) ?? gzipSync(Buffer.alloc(ZEROS, character))
  made.set(character, known)
  return known
}
