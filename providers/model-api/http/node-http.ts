import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { NodeBody } from '../body/node-body.ts'
import type { Answer } from '../body/response.ts'
import type { Asked } from './dispatch.ts'

/** The part of Node's request options that decides which connection a request uses. */
export type Connection = Pick<RequestOptions, 'createConnection'>

/** Sends a request with Node's HTTP client, by default over a connection of Node's global agents, which keep it open. */
export async function sendOverHttp(asked: Asked, connection: Connection = {}): Promise<Answer> {
  const ask = asked.url.protocol === 'https:' ? (await import('node:https')).request : request
  return answerTo(() => ask(asked.url, optionsOf(asked, connection)), asked)
}

function optionsOf({ method, headers }: Asked, connection: Connection): RequestOptions {
  return { method, headers, ...connection }
}

/** @param start - starts the request; called once more if the server closed the reused connection just before */
function answerTo(start: () => ClientRequest, asked: Asked): Promise<Answer> {
  const { body, signal } = asked
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const sent = start()
    const onAbort = (): void => {
      reject(signal?.reason)
      sent.destroy()
    }
    signal?.addEventListener('abort', onAbort)
    let hasAnswer = false
    sent.once('response', (answer) => {
      hasAnswer = true
      resolve(answerOf(answer))
    })
    sent.on('error', (error) => {
      if (isStale(sent, error) && !signal?.aborted) resolve(answerTo(start, asked))
      else reject(error)
    })
    sent.once('close', () => {
      signal?.removeEventListener('abort', onAbort)
      // If the server switches to another protocol, the connection closes without an error.
      if (!hasAnswer) reject(new Error('the server ended the connection without an answer'))
    })
    sent.end(body)
  })
}

/** Whether a server closed a reused connection just when the request was sent (see `request.reusedSocket` of Node). */
function isStale({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return reusedSocket && error.code === 'ECONNRESET'
}

function answerOf(answer: IncomingMessage): Answer {
  const { statusCode: status = 0, headers } = answer
  return { status, headers, body: new NodeBody(answer) }
}
