import { request } from 'node:http'
import type { LoadProtocol } from '../../../test/server/load/protocols.ts'
import { MONITOR } from './tokens.ts'

export interface AskOptions {
  readonly method?: string
  readonly token?: string
  readonly body?: string | Buffer
  readonly headers?: { readonly [name: string]: string }
  /** Milliseconds in which the whole response must arrive. */
  readonly patience: number
}

export interface Answered {
  readonly status: number
  /** The text of the response, shortened in the middle. */
  readonly text: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
}

const MOST_TEXT = 1 << 20
/** The number of characters kept from the beginning and from the end of a longer text. */
const KEPT = 1 << 14

/** Sends a request on a new connection, and reads the whole response. */
export function asked(url: string, path: string, options: AskOptions): Promise<Answered> {
  const { body, patience, method = body === undefined ? 'GET' : 'POST' } = options
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${path}`, { method, agent: false, headers: headersOf(options) })
    const late = setTimeout(() => {
      asking.destroy(new Error(`${path} was not answered within ${patience} ms`))
    }, patience)
    asking
      .on('close', () => clearTimeout(late))
      .on('error', reject)
      .on('response', (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (piece: string) => {
            text += piece
            if (text.length > MOST_TEXT) text = `${text.slice(0, KEPT)}\n${text.slice(-KEPT)}`
          })
          .on('error', reject)
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
          )
      })
    asking.end(body)
  })
}

/** Like `asked`, but returns a failure as a response without a status. */
export async function attempted(url: string, path: string, options: AskOptions): Promise<Answered> {
  try {
    return await asked(url, path, options)
  } catch (error) {
    return { status: 0, text: String(error), headers: {} }
  }
}

function headersOf({ token, body, headers }: AskOptions): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
}

/** The path and body of a request for a published model. */
export function modelIn(protocol: LoadProtocol, model: string, id: string): object {
  return withModel(protocol.path, protocol.body(id), model)
}

/** Sets the model in the place where a protocol has it. */
export function withModel(path: string, body: object, model: string): object {
  if (path === '/ag-ui') return { ...body, forwardedProps: { agent: model } }
  return { ...body, [path === '/api/chat' ? 'agent' : 'model']: model }
}

/** Waits until a condition holds. @returns whether it did in time */
export async function comesToBe(
  isSo: () => boolean | Promise<boolean>,
  patience: number,
): Promise<boolean> {
  const limit = performance.now() + patience
  while (!(await isSo())) {
    if (performance.now() > limit) return false
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return true
}

/** The number of active runs, from the server's metrics. */
export async function activeRuns(url: string): Promise<number> {
  const { token } = MONITOR
  const { text } = await asked(url, '/metrics', { token, patience: 10_000 })
  return Number(/^braidwork_active_runs (\d+)$/m.exec(text)?.[1])
}
