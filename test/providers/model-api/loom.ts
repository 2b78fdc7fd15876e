import {
  type AnswerContext,
  type HttpApi,
  type HttpRequest,
  httpProvider,
  type Piece,
} from '../../../providers/model-api/index.ts'
import type { JsonObject, MessageMetadata, Part } from '../../../src/plugin/index.ts'

const REASONS = { done: 'stop', calls: 'tool-calls', cut: 'length' } as const

interface Line {
  readonly think?: string
  readonly seal?: string
  readonly say?: string
  readonly call?: { readonly id: string; readonly name: string }
  readonly args?: string
  readonly end?: keyof typeof REASONS
  readonly tokens?: { readonly in: number; readonly out: number }
}

/** The table of a made-up API with answers of lines, and the end of an answer marked. */
export const LOOM: HttpApi = {
  name: 'loom',
  title: 'Loom',
  variable: 'LOOM_KEY',
  baseUrl: 'https://loom.invalid/v1',
  path: '/answers',
  modelsPath: '/models',
  framing: 'ndjson',
  models: {
    'loom-1': { contextWindow: 8000, price: { input: 1, output: 4 } },
    'loom-mini': { contextWindow: 2000 },
  },
  tags: (model) => (model === 'loom-mini' ? [] : ['tools', 'reasoning', 'vision']),
  files: { types: /^image\/png$/, largest: 1000 },
  settings: { warp: { type: 'integer', title: 'Warp' } },
  isLast: ({ end }) => end !== undefined,
  errorIn: ({ fault }) => fault,
  request: bodyOf,
  answer: (line, context) => piecesOf(line, context),
}

/** A provider of the API, with parts of the table changed. */
export const loom = (changes: Partial<HttpApi> = {}) => httpProvider({ ...LOOM, ...changes })

function bodyOf({ model, messages, tools, sampling, settings }: HttpRequest): JsonObject {
  return {
    model,
    stream: true,
    turns: messages.flatMap(({ role, parts }) =>
      parts.flatMap((part) => turnsOf(part).map((turn) => ({ by: role, ...turn }))),
    ),
    ...(tools.length > 0 ? { tools: [...tools] } : {}),
    ...sampling,
    ...('warp' in settings ? { warp: settings.warp } : {}),
  }
}

function turnsOf(part: Part): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text }]
    case 'reasoning': {
      const own = part.providerMetadata?.['loom']
      return own ? [{ thought: part.text, ...own }] : []
    }
    case 'tool-call':
      return [{ call: part.callId, name: part.name, args: JSON.stringify(part.input) }]
    case 'tool-result':
      return [{ result: part.callId, output: part.output }]
    case 'file':
      return [{ image: part.data ?? '' }]
    default:
      return []
  }
}

function piecesOf(line: Line, { local }: AnswerContext): readonly Piece[] {
  const { think, seal, say, call, args, end, tokens } = line
  if (call) local.set('call', call)
  const { id = '', name = '' } = (local.get('call') ?? {}) as { id?: string; name?: string }
  const parts: Part[] = [
    ...(think === undefined ? [] : [{ type: 'reasoning', text: think } as const]),
    ...(seal === undefined ? [] : [sealed(seal)]),
    ...(args === undefined ? [] : [{ type: 'tool-call', callId: id, name, input: args } as const]),
  ]
  return [
    ...(say === undefined ? [] : [say]),
    ...(parts.length > 0 ? [{ role: 'assistant', parts } as const] : []),
    ...(end ? [{ type: 'metadata', metadata: metadataOf(end, tokens) } as const] : []),
  ]
}

function sealed(seal: string): Part {
  return { type: 'reasoning', text: '', providerMetadata: { loom: { seal } } }
}

function metadataOf(end: keyof typeof REASONS, tokens: Line['tokens']): MessageMetadata {
  const usage = tokens && { usage: { input: tokens.in, output: tokens.out } }
  return { finishReason: REASONS[end], ...usage }
}
