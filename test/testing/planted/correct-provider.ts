import type { Message, Part, PartialEvent } from '../../../src/plugin/events/index.ts'
import type { ChunkResult, Context, Provider, State } from '../../../src/plugin/index.ts'
import { statusError, typedError } from './status-error.ts'

/** The request of a small API of words. */
export interface WordsRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly object[]
}

/** A piece of an answer, or all of it. */
export interface Words {
  readonly thought?: string
  readonly seal?: string
  readonly text?: string
  readonly end?: string
  readonly usage?: { readonly input: number; readonly output: number }
}

type Settings = { readonly base_url?: string } | undefined

export async function post(
  native: WordsRequest,
  stream: boolean,
  { config, signal }: Context,
): Promise<Response> {
  const { base_url = '' } = (config.settings?.['words'] as Settings) ?? {}
  const body = JSON.stringify({ ...native, stream })
  const response = await fetch(base_url, { method: 'POST', body, signal }).catch(() => {
    signal.throwIfAborted()
    throw typedError('PROVIDER_FAILED', 'The connection failed.')
  })
  if (!response.ok) throw statusError(response.status)
  return response
}

/** Makes text of bytes, piece by piece. */
interface Decoder {
  readonly decode: (bytes: Uint8Array, options?: { readonly stream: boolean }) => string
}

/** The lines of a stream as values. A decoder that keeps what is left of a character is needed. */
export async function* linesOf(
  response: Response,
  decoder: Decoder = new TextDecoder(),
): AsyncGenerator<Words> {
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Words
  }
}

/** Maps failures of a connection to codes. */
export async function* guarded(chunks: AsyncIterable<Words>, signal: AbortSignal) {
  let hasEnded = false
  try {
    for await (const chunk of chunks) {
      hasEnded ||= chunk.end !== undefined
      yield chunk
    }
  } catch (error) {
    if (signal.aborted || (error as { readonly code?: unknown }).code === 'PROVIDER_FAILED')
      throw error
    throw typedError('STREAM_INTERRUPTED', 'The stream broke off.')
  }
  if (!hasEnded) throw typedError('STREAM_INTERRUPTED', 'The stream ended too early.')
}

export function messageOf({ thought, seal, text = '', end, usage }: Words): Message {
  const reasoning: Part[] = thought
    ? [{ type: 'reasoning', text: thought, providerMetadata: { words: { seal } } }]
    : []
  return {
    role: 'assistant',
    parts: [...reasoning, { type: 'text', text }],
    metadata: { finishReason: end === 'done' ? 'stop' : 'other', ...(usage ? { usage } : {}) },
  }
}

/** The events of one piece. */
export function eventsOf({ thought, seal, text, end, usage }: Words): readonly PartialEvent[] {
  const events: PartialEvent[] = []
  if (thought !== undefined)
    events.push(
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: thought },
      { type: 'reasoning-end', id: 'r', providerMetadata: { words: { seal } } },
      { type: 'text-start', id: 't' },
    )
  if (text !== undefined) events.push({ type: 'text-delta', id: 't', delta: text })
  if (end !== undefined) {
    const metadata = { finishReason: 'stop', ...(usage ? { usage } : {}) } as const
    events.push({ type: 'text-end', id: 't' }, { type: 'metadata', metadata })
  }
  return events
}

const GATHERED = 'gathered'

export function gather({ local }: Context, chunk: Words): Words {
  const known = (local.get(GATHERED) ?? {}) as Words
  const all = { ...known, ...chunk, text: (known.text ?? '') + (chunk.text ?? '') }
  local.set(GATHERED, all)
  return all
}

/** A correct provider of that API, with every hook of a request. */
export const PROVIDER = {
  kind: 'provider',
  name: 'words',
  configSchema: {
    type: 'object',
    properties: { base_url: { type: 'string', title: 'Address' } },
  },
  getModels: () => ['words-1', 'words-2'],
  getModelInfo: () => ({
    contextWindow: 1000,
    maxOutputTokens: 100,
    price: { input: 1, output: 2 },
  }),
  getTags: () => ['text', 'streaming', 'tools'],
  init: ({ model = 'words-1', tools = [] }) => ({ model, tools }),
  toNative: (messages, { model, tools }) => ({
    model: String(model),
    messages,
    tools: tools as readonly object[],
  }),
  initializeRequest: (native, state) => [native, state],
  async call(native, state, context): Promise<ChunkResult<WordsRequest>> {
    const response = await post(native, false, context)
    const words = await response.json().catch(() => {
      context.signal.throwIfAborted()
      throw typedError('PROVIDER_FAILED', 'The answer is no JSON.')
    })
    return [[], [words], native, state]
  },
  async *stream(native, _state, context) {
    yield* guarded(linesOf(await post(native, true, context)), context.signal)
  },
  processChunk: (chunk, native, state, context) => {
    const all = gather(context, chunk)
    return [eventsOf(chunk), chunk.end === undefined ? [] : [all], native, state]
  },
  finalize: (native, state) => [[], native, state],
  fromNative: (natives) => natives.map((native) => messageOf(native as Words)),
} satisfies Provider<WordsRequest, State, Words>

const END = { end: 'done', usage: { input: 5, output: 4 } }
const THOUGHT = { thought: 'Think.', seal: 'sealed-0123456789+/==' }
const PIECES = [THOUGHT, { text: 'Tea ' }, { text: 'is 茶 😀' }, { text: ' hot.' }, END]

/** A recorded exchange with the API. */
export const WORDS_API = {
  config: (url: string) => ({ settings: { words: { base_url: url } } }),
  whole: { ...THOUGHT, text: 'Tea is 茶 😀 hot.', ...END },
  streamed: PIECES.map((piece) => `${JSON.stringify(piece)}\n`).join(''),
}
