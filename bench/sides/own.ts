import { createHost } from '@braidwork/core'
import anthropic from '@braidwork/provider-anthropic'
import openai from '@braidwork/provider-openai'
import { createParser } from 'eventsource-parser'
import { type Format, PATHS } from '../bodies.ts'
import type { Side } from '../measure.ts'

type Step = readonly [unknown, readonly unknown[], readonly unknown[], unknown, object]

/** Extensions that look at every chunk and let it pass. */
function lookers(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'extension',
    name: `looker-${index}`,
    processChunk: (...[, partials, finals, native, state]: Step) => [
      partials,
      finals,
      native,
      state,
    ],
  }))
}

/** A request of Braidwork's to the server. */
export function configFor(url: string, format: Format) {
  const provider = format === 'messages' ? 'anthropic' : 'openai'
  const api = format === 'messages' ? {} : { api: format }
  const base_url = format === 'messages' ? url : `${url}/v1`
  const settings = { api_key: 'sk-bench-0123456789', base_url, max_retries: 0, ...api }
  const model = format === 'messages' ? 'claude-haiku-4-5' : 'gpt-4.1'
  return { provider, model, settings: { [provider]: settings } }
}

export async function hostWith(count: number, more: readonly object[] = []) {
  return createHost({ plugins: [openai, anthropic, ...lookers(count), ...more] as never })
}

/** Plugins of all kinds that are on and have no hook of a chunk. */
export function idlers(count: number): readonly object[] {
  const kinds = ['extension', 'feature', 'tool']
  return Array.from({ length: count }, (_, index) => ({
    kind: kinds[index % kinds.length],
    name: `idler-${index}`,
    init: (_config: object, state: object = {}) => state,
  }))
}

/** The chain with so many extensions, its stream read to the end, or to the first piece of text. */
export async function ownSide(
  url: string,
  format: Format,
  count: number,
  { until = 'end', idle = 0 }: { readonly until?: 'end' | 'text'; readonly idle?: number } = {},
): Promise<Side> {
  const host = await hostWith(count, idlers(idle))
  const config = configFor(url, format)
  return {
    what: `braidwork, ${count} extensions${idle > 0 ? `, ${idle} idle plugins` : ''}`,
    run: async (shown) => {
      const stream = host.stream(config, 'Hello')
      for await (const event of stream) {
        if (event.type === 'error') throw new Error(event.error.message)
        if (event.type !== 'text-delta' || until !== 'text') continue
        shown?.()
        break
      }
      return stream.result
    },
  }
}

/** A whole answer. */
export async function ownSend(url: string): Promise<Side> {
  const host = await hostWith(0)
  const config = configFor(url, 'chat')
  return { what: 'braidwork, send', run: () => host.send(config, 'Hello') }
}

const BODY = { stream: true, messages: [{ role: 'user', content: 'Hello' }] }

/** Asks for a stream, as bare as can be. */
export function ask(url: string, format: Format): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}${PATHS[format]}`, { method: 'POST', headers, body: JSON.stringify(BODY) })
}

/** A whole answer, read as JSON. */
export function bareSend(url: string): Side {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ...BODY, stream: false })
  return {
    what: 'fetch, response.json()',
    run: async () => (await fetch(`${url}${PATHS.chat}`, { method: 'POST', headers, body })).json(),
  }
}

/** The first bytes of a stream. */
export function bareFirst(url: string, format: Format): Side {
  return {
    what: 'fetch',
    run: async (shown) => {
      const reader = (await ask(url, format)).body?.getReader()
      await reader?.read()
      shown?.()
      await reader?.cancel()
    },
  }
}

async function readAll(body: AsyncIterable<Uint8Array>, take: (bytes: Uint8Array) => void) {
  for await (const bytes of body) take(bytes)
}

/** What no client can do without. */
export function bareSides(url: string, format: Format): readonly [bytes: Side, events: Side] {
  return [
    {
      what: 'fetch',
      run: async () => {
        const { body } = await ask(url, format)
        if (body) await readAll(body, () => undefined)
      },
    },
    {
      what: 'fetch, eventsource-parser, JSON.parse',
      run: async () => {
        const { body } = await ask(url, format)
        const decoder = new TextDecoder()
        const parser = createParser({
          onEvent: ({ data }) => data === '[DONE]' || JSON.parse(data),
        })
        if (body)
          await readAll(body, (bytes) => parser.feed(decoder.decode(bytes, { stream: true })))
      },
    },
  ]
}
