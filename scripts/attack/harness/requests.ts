import { request } from 'node:http'
import type { LoadProtocol } from '../../../test/server/load/protocols.ts'

export interface AskOptions {
  readonly method?: string
  readonly token?: string
  readonly body?: string | Buffer
  readonly headers?: { readonly [name: string]: string }
  /** Milliseconds until the whole answer must be there. */
  readonly patience: number
}

export interface Answered {
  readonly status: number
  /** As much of it as is worth looking at. */
  readonly text: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
}

const MOST_TEXT = 1 << 20
/** Characters of a longer text that are kept from its beginning, and from its end. */
const KEPT = 1 << 14

/** Asks on a connection of its own, and reads to the end. */
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

/** The same where what goes wrong is an answer too: without a status, in words. */
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

/** The request of a protocol, of one of the published models. */
export function modelIn(protocol: LoadProtocol, model: string, id: string): object {
  return withModel(protocol.path, protocol.body(id), model)
}

/** Puts a model where a protocol has it. */
export function withModel(path: string, body: object, model: string): object {
  if (path === '/ag-ui') return { ...body, forwardedProps: { agent: model } }
  return { ...body, [path === '/api/chat' ? 'agent' : 'model']: model }
}

/** Waits for something to be so, and says whether it came to be. */
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

/** The gauge of runs that are at work. */
export async function activeRuns(url: string, token: string): Promise<number> {
  const { text } = await asked(url, '/metrics', { token, patience: 10_000 })
  return Number(/^braidwork_active_runs (\d+)$/m.exec(text)?.[1])
}
