import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'

/** The formats of answers. */
export type Api = 'chat' | 'responses' | 'messages'

/** A body that never ends, but where it is packed. */
interface Attack {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  /** Milliseconds between two pieces. */
  readonly pause?: number
  pieces(api: Api): Iterable<string | Uint8Array>
}

const EVENTS = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }
const LONG = 'x'.repeat(64 * 1024)

function* endless(piece: string, ...head: readonly string[]): Generator<string> {
  yield* head
  for (;;) yield piece
}

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

/** The events that begin an answer, add to it, say nothing, and end it. */
const SCRIPTS: {
  readonly [A in Api]: {
    readonly head: readonly object[]
    delta(text: string): object
    readonly empty: object
    call(index: number): readonly object[]
    readonly tail: readonly object[]
  }
} = {
  chat: {
    head: [{ id: 'c', model: 'm', created: 1, choices: [{ index: 0, delta: { content: 'I' } }] }],
    delta: (content) => ({ choices: [{ index: 0, delta: { content } }] }),
    empty: { choices: [{ index: 0, delta: {} }] },
    call: (index) => {
      const called = { name: 'look', arguments: '{"a":1}' }
      const call = { index, id: `call_${index}`, type: 'function', function: called }
      return [{ choices: [{ index: 0, delta: { tool_calls: [call] } }] }]
    },
    tail: [{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }],
  },
  responses: {
    head: [
      { type: 'response.created', response: { id: 'r', output: [] } },
      { type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: 'I' },
    ],
    delta: (delta) => ({
      type: 'response.output_text.delta',
      output_index: 0,
      item_id: 'm',
      delta,
    }),
    empty: { type: 'response.in_progress' },
    call: (index) => {
      const item = {
        type: 'function_call',
        id: `fc_${index}`,
        call_id: `call_${index}`,
        name: 'look',
        arguments: '{"a":1}',
      }
      return ['added', 'done'].map((what) => ({
        type: `response.output_item.${what}`,
        output_index: index + 1,
        item,
      }))
    },
    tail: [{ type: 'response.completed', response: { id: 'r', status: 'completed' } }],
  },
  messages: {
    head: [
      { type: 'message_start', message: { id: 'm', model: 'm', content: [], usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'I' } },
    ],
    delta: (text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    }),
    empty: { type: 'ping' },
    call: (index) => [
      {
        type: 'content_block_start',
        index: index + 1,
        content_block: { type: 'tool_use', id: `call_${index}`, name: 'look', input: { a: 1 } },
      },
      { type: 'content_block_stop', index: index + 1 },
    ],
    tail: [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ],
  },
}

const headOf = (api: Api): string => SCRIPTS[api].head.map(event).join('')
const tailOf = (api: Api): string => SCRIPTS[api].tail.map(event).join('')

/** The whole of an answer with so many calls, streamed. */
export function* callsOf(api: Api, count: number): Generator<string> {
  const { call } = SCRIPTS[api]
  yield headOf(api)
  for (let index = 0; index < count; index++) yield call(index).map(event).join('')
  yield tailOf(api)
}

/** The same in one piece. */
export function wholeWithCalls(api: Api, count: number): string {
  const ids = Array.from({ length: count }, (_, index) => `call_${index}`)
  if (api === 'chat') {
    const called = { name: 'look', arguments: '{"a":1}' }
    const tool_calls = ids.map((id) => ({ id, type: 'function', function: called }))
    const message = { role: 'assistant', content: 'I', tool_calls }
    return JSON.stringify({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] })
  }
  if (api === 'responses') {
    const called = { type: 'function_call', name: 'look', arguments: '{"a":1}' }
    const output = ids.map((call_id) => ({ ...called, id: `f${call_id}`, call_id }))
    return JSON.stringify({ id: 'r', status: 'completed', output })
  }
  const content = ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: { a: 1 } }))
  return JSON.stringify({ id: 'm', content, stop_reason: 'tool_use', usage: {} })
}

/** Far more than an answer may have, in a few hundred kilobytes. */
const BOMB = Buffer.alloc(160 * 1024 * 1024, ' ')
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const PACKERS = {
  gzip: () => gzipSync(BOMB, { level: 1 }),
  deflate: () => deflateSync(BOMB, { level: 1 }),
  br: () => brotliCompressSync(BOMB, QUALITY),
} as const
const packed = new Map<string, Uint8Array>()

function bomb(coding: keyof typeof PACKERS): Attack {
  return {
    headers: { ...JSON_TYPE, 'content-encoding': coding },
    pieces: () => {
      const body = packed.get(coding) ?? PACKERS[coding]()
      packed.set(coding, body)
      return [body]
    },
  }
}

export const ATTACKS = {
  'endless JSON': { headers: JSON_TYPE, pieces: () => endless(LONG, '{"choices":[{"a":"') },
  'an endless error': {
    status: 500,
    headers: JSON_TYPE,
    pieces: () => endless(LONG, '{"error":{"message":"'),
  },
  'an endless page': {
    status: 502,
    headers: { 'content-type': 'text/html' },
    pieces: () => endless(LONG),
  },
  'a bomb in gzip': bomb('gzip'),
  'a bomb in deflate': bomb('deflate'),
  'a bomb in br': bomb('br'),
  'a stream that is a bomb': {
    headers: { ...EVENTS, 'content-encoding': 'gzip' },
    pieces: bomb('gzip').pieces,
  },
  'an endless line': {
    headers: EVENTS,
    pieces: (api) => endless(LONG, headOf(api), 'data: "'),
  },
  'endless data lines': {
    headers: EVENTS,
    pieces: (api) => endless('data:\n'.repeat(1000), headOf(api)),
  },
  'endless comments': {
    headers: EVENTS,
    pieces: (api) => endless(`: ${LONG}\n\n`, headOf(api)),
  },
  'endless small events': {
    headers: EVENTS,
    pieces: (api) => endless(event(SCRIPTS[api].delta('a')).repeat(100), headOf(api)),
  },
  'endless empty events': {
    headers: EVENTS,
    pieces: (api) => endless(event(SCRIPTS[api].empty).repeat(100), headOf(api)),
  },
  'endless deltas': {
    headers: EVENTS,
    pieces: (api) => endless(event(SCRIPTS[api].delta(LONG)), headOf(api)),
  },
  'an empty event now and then': {
    headers: EVENTS,
    pause: 20,
    pieces: (api) => endless(event(SCRIPTS[api].empty), headOf(api)),
  },
  'a comment now and then': {
    headers: EVENTS,
    pause: 20,
    pieces: (api) => endless(': wait\n\n', headOf(api)),
  },
  'a delta now and then': {
    headers: EVENTS,
    pause: 20,
    pieces: (api) => endless(event(SCRIPTS[api].delta('a')), headOf(api)),
  },
  'a body that goes on behind its answer': {
    headers: EVENTS,
    pause: 20,
    pieces: (api) => endless(': more\n\n', headOf(api), tailOf(api)),
  },
  'a body that goes on behind [DONE]': {
    headers: EVENTS,
    pieces: (api) => endless(`: ${LONG}\n\n`, headOf(api), tailOf(api), 'data: [DONE]\n\n'),
  },
  'twenty thousand calls': { headers: EVENTS, pieces: (api) => callsOf(api, 20_000) },
  'twenty thousand calls in one piece': {
    headers: JSON_TYPE,
    pieces: (api) => [wholeWithCalls(api, 20_000)],
  },
} as const satisfies { readonly [attack: string]: Attack }

export type AttackName = keyof typeof ATTACKS

/** A model API on loopback that means harm: the first two steps of its base URL name attack and format. */
export class HostileApi {
  readonly #server: Server
  /** Answers whose socket is still there. */
  open = 0

  constructor() {
    this.#server = createServer({ keepAlive: true }, (request, response) => {
      request.resume()
      const [, attack = '', api = ''] = decodeURIComponent(request.url ?? '').split('/')
      this.open++
      response.once('close', () => this.open--)
      if (attack === 'endless headers') endlessHeaders(response)
      else void attackWith(response, ATTACKS[attack as AttackName], api as Api)
    })
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  urlOf(attack: string, api: Api): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}/${encodeURIComponent(attack)}/${api}/v1`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** Below what Node lets a server send: written past it. */
function endlessHeaders({ socket }: ServerResponse): void {
  socket?.write('HTTP/1.1 200 OK\r\n')
  const more = (): void => {
    while (socket?.writable && socket.write(`x-more: ${'x'.repeat(1000)}\r\n`));
  }
  socket?.on('drain', more).on('error', () => undefined)
  more()
}

async function attackWith(response: ServerResponse, attack: Attack, api: Api): Promise<void> {
  const { status = 200, headers = {}, pause, pieces } = attack
  response.on('error', () => undefined)
  response.writeHead(status, headers)
  for (const piece of pieces(api)) {
    if (response.destroyed) return
    const isTaken = response.write(piece)
    if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause))
    else if (!isTaken) await drained(response)
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
