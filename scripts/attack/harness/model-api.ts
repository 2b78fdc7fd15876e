/** A model API as a separate process. Some of its models answer correctly; the others send malformed answers. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { answerQuestions } from '../../../test/server/load/processes.ts'
import { type ApiForm, formOf } from './api-forms.ts'
import type { BombName } from './bomb-names.ts'
import { BOMBS } from './bombs.ts'

/** Its open answers, and the requests that it got. */
export interface ApiUse {
  readonly url: string
  /** The number of unfinished answers. */
  readonly open: number
  readonly asked: number
}

/** The number of words in the normal and in the slow answer, and the milliseconds between words of the slow one. */
export const API_WORDS = 20
const SLOW_WORDS = 2000
const PAUSE = 20

const open = new Set<ServerResponse>()
let asked = 0

const server = createServer((request, response) => {
  asked++
  open.add(response)
  response.on('error', () => undefined).once('close', () => open.delete(response))
  request.resume().once('end', () => void answer(request, response))
})
// Keep connections open long enough: closing one just when it is reused would look like a fault of the attacked server.
server.keepAliveTimeout = 60_000

/** Answers a request. The first part of the path names the kind of answer. */
async function answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, way = ''] = url.split('/')
  const form = formOf(url)
  const bomb = Object.hasOwn(BOMBS, way) ? BOMBS[way as BombName] : undefined
  if (bomb) return bomb(response, form)
  if (way === 'zipped') return zipped(response, form)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(form.begin)
  if (way === 'calling') response.write(form.call(0))
  const words = way === 'slow' ? SLOW_WORDS : API_WORDS
  for (let index = 0; index < words && !response.destroyed; index++) {
    response.write(form.text(`${index === 0 ? '' : ' '}w${index}`))
    if (way === 'slow') await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  response.end(form.end)
}

function zipped(response: ServerResponse, form: ApiForm): void {
  const words = Array.from({ length: API_WORDS }, (_, index) => form.text(` w${index}`))
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
  response.end(gzipSync([form.begin, ...words, form.end].join('')))
}

answerQuestions(async (): Promise<ApiUse> => {
  if (!server.listening) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, open: open.size, asked }
})
