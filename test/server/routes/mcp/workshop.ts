import { tool } from '../../../helpers/plugins.ts'

export const IMAGE = 'aGVsbG8='

/** A schema of a tool of the tests. */
const named = (name: string, more: object = {}) => ({
  name,
  description: `The tool ${name}.`,
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  ...more,
})

interface Called {
  readonly name: string
  readonly input: { readonly path?: string }
  readonly canAsk?: boolean
  readonly answer?: { readonly value?: unknown }
}

/** A tool of a server that has ended, one that a policy denies, and what stands for those of a server that never began. */
const AWAY = ['shop__sell', 'shop__secret', 'gone__unavailable']
const UNAVAILABLE = { unavailable: 'The server is away', runtime_owner: 'mcp_server' } as const

/** The tools that clients call themselves. */
export class Workshop {
  readonly ran: string[] = []
  release: () => void = () => undefined

  readonly plugin = tool('workshop', {
    getToolSchemas: () => [
      named('remove', { safety: { is_destructive: true, is_idempotent: true } }),
      named('measure', { output_schema: MEASURED }),
      named('draw'),
      named('scan', { output_schema: SCANNED }),
      named('break'),
      named('count'),
      named('wait'),
      named('survey'),
      named('long'),
      named('quick'),
      named('secret'),
      ...AWAY.map((name) => named(name, UNAVAILABLE)),
      named('shop__broken', { ...UNAVAILABLE, unavailable: 'its schema is broken' }),
    ],
    executeTool: (call: Called, _state: unknown, { signal }: { signal: AbortSignal }) =>
      this.#answer(call, signal),
  })

  #answer({ name, input, canAsk, answer }: Called, signal: AbortSignal): unknown {
    this.ran.push(name)
    if (name === 'remove') return `${input.path} is gone`
    if (name === 'measure') return input.path === 'odd' ? { length: 'much' } : { length: 3 }
    if (name === 'break') return { output: 'It broke.', isError: true }
    if (name === 'draw') {
      const file = { type: 'file', mediaType: 'image/png', data: IMAGE }
      const artifacts = [{ uri: 'https://example.org/drawing', title: 'The drawing' }]
      return { output: [{ type: 'text', text: 'A drawing' }, file], artifacts }
    }
    if (name === 'scan') return [{ type: 'file', mediaType: 'image/png', data: IMAGE }]
    if (name === 'count') return counting()
    if (name === 'wait') return waiting(signal)
    if (name === 'long') return 'long '.repeat(40_000)
    if (name !== 'survey') return 'done'
    if (answer) return `You said ${JSON.stringify(answer.value)}`
    const question = { question: 'How many?', schema: { type: 'integer' } }
    return canAsk ? { output: 'Nobody said how many.', question } : 'Nobody can be asked.'
  }
}

export const MEASURED = {
  type: 'object',
  properties: { length: { type: 'number' }, unit: { type: 'string', pattern: '^(?!inch)' } },
  required: ['length'],
}

export const SCANNED = {
  type: 'object',
  properties: {
    content: {
      type: 'array',
      items: { type: 'object', properties: { data: { type: 'string' } }, required: ['data'] },
    },
  },
  required: ['content'],
}

async function* counting() {
  yield { progress: 1, total: 3, message: 'one' }
  yield { progress: 2, total: 3 }
  yield 'nearly'
  yield 'counted'
}

function waiting(signal: AbortSignal): AsyncIterable<unknown> {
  return (async function* () {
    yield 'waiting'
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
    })
  })()
}
