import type { JsonObject } from '@braidwork/plugin'
import { DONE, type SdkVersion } from '../../../../src/server/wire/ui-message-stream/chunks.ts'
import { type SseFrame, sseFrames } from '../frames.ts'
import { IllegalFrame, objectOf } from '../illegal-frame.ts'

type Chunk = JsonObject & { readonly type: string }

type Shape = { readonly [field: string]: 'text' | 'flag' | 'any' }

const OUTPUT: Shape = { toolCallId: 'text' }
/** Chunks and the fields that they cannot do without. */
const SHAPES: { readonly [type: string]: Shape } = {
  start: { messageId: 'text' },
  'start-step': {},
  'finish-step': {},
  'reset-step': {},
  'message-metadata': { messageMetadata: 'any' },
  'text-start': { id: 'text' },
  'text-delta': { id: 'text', delta: 'text' },
  'text-end': { id: 'text' },
  'reasoning-start': { id: 'text' },
  'reasoning-delta': { id: 'text', delta: 'text' },
  'reasoning-end': { id: 'text' },
  'tool-input-start': { toolCallId: 'text', toolName: 'text' },
  'tool-input-delta': { toolCallId: 'text', inputTextDelta: 'text' },
  'tool-input-available': { toolCallId: 'text', toolName: 'text', input: 'any' },
  'tool-input-error': { toolCallId: 'text', toolName: 'text', input: 'any', errorText: 'text' },
  'tool-output-available': { ...OUTPUT, output: 'any' },
  'tool-output-error': { ...OUTPUT, errorText: 'text' },
  'tool-output-denied': OUTPUT,
  'tool-approval-request': { ...OUTPUT, approvalId: 'text' },
  'tool-approval-response': { approvalId: 'text', approved: 'flag' },
  'source-url': { sourceId: 'text', url: 'text' },
  'source-document': { sourceId: 'text', mediaType: 'text', title: 'text' },
  file: { url: 'text', mediaType: 'text' },
  finish: {},
  error: { errorText: 'text' },
  abort: {},
}
/** From which version on clients know a chunk; the others are older than all that are known. */
const SINCE: { readonly [type: string]: number } = {
  'tool-output-denied': 6,
  'tool-approval-request': 6,
  'tool-approval-response': 7,
  'reset-step': 7,
}
const ENDINGS = new Set(['finish', 'error', 'abort'])
const FINISH_REASONS = new Set([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
  undefined,
])

/** What a checker is told of the stream that it reads. */
export interface CheckedStream {
  readonly sdk?: SdkVersion
  /** Whether it goes on in a message that the client has: results may be of calls that stand there. */
  readonly continues?: boolean
}

/** Reads frames of a UI message stream, and throws at the first that a client would fail at. */
export class UiMessageStreamChecker {
  readonly #sdk: number
  readonly #continues: boolean
  /** Texts, reasonings and calls on their way. */
  readonly #open = new Set<string>()
  readonly #calls = new Set<string>()
  readonly #callsOfStep = new Set<string>()
  readonly #approvals = new Set<string>()
  #state: 'new' | 'begun' | 'in-step' | 'ended' | 'done' = 'new'

  constructor({ sdk = 5, continues = false }: CheckedStream = {}) {
    this.#sdk = sdk
    this.#continues = continues
  }

  /** @throws {IllegalFrame} */
  check(text: string): void {
    for (const frame of sseFrames(text)) {
      if (this.#state === 'done') throw fault(frame.data, 'it comes after the end')
      if (frame.data !== DONE) this.#checkChunk(chunkOf(frame))
      else if (this.#state === 'ended') this.#state = 'done'
      else throw fault(DONE, 'the message has no ending')
    }
  }

  /** @throws {IllegalFrame} where the stream is not over */
  end(): void {
    if (this.#state !== 'done') throw fault(DONE, 'it is missing')
  }

  #checkChunk(chunk: Chunk): void {
    const { type } = chunk
    this.#checkShape(chunk)
    if (this.#state === 'ended') throw fault(type, 'the message has ended')
    if ((this.#state === 'new') !== (type === 'start')) {
      throw fault(type, 'a message has one start, before all else')
    }
    if (type === 'start') this.#state = 'begun'
    else if (isData(type)) return
    else if (/-(?:start|delta|end)$/.test(type)) this.#checkPiece(chunk)
    else if (type.startsWith('tool-')) this.#checkCall(chunk)
    else if (type.endsWith('-step')) this.#checkStep(type)
    else if (ENDINGS.has(type)) this.#checkEnding(chunk)
  }

  #checkShape(chunk: Chunk): void {
    const { type } = chunk
    const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined
    if (isData(type)) {
      if (chunk['data'] === undefined) throw fault(type, '"data" is missing')
    } else if (shape === undefined) {
      throw fault(type, 'no chunk is called so')
    }
    if ((SINCE[type] ?? 0) > this.#sdk) throw fault(type, `it is not known before ${SINCE[type]}`)
    for (const [field, kind] of Object.entries(shape ?? {})) {
      const value = chunk[field]
      const types = { text: 'string', flag: 'boolean', any: typeof value } as const
      if (value === undefined || typeof value !== types[kind]) {
        throw fault(type, `"${field}" is missing or of the wrong type`)
      }
    }
  }

  #checkPiece(chunk: Chunk): void {
    const { type } = chunk
    const kind = type.slice(0, type.lastIndexOf('-'))
    const key = `${kind}:${String(chunk['id'] ?? chunk['toolCallId'])}`
    if (type.endsWith('-start')) {
      if (this.#open.has(key)) throw fault(type, `"${key}" is open`)
      this.#open.add(key)
      if (kind === 'tool-input') this.#know(String(chunk['toolCallId']))
    } else if (!this.#open.has(key)) {
      throw fault(type, `"${key}" is not open`)
    } else if (type.endsWith('-end')) {
      this.#open.delete(key)
    }
  }

  #checkCall(chunk: Chunk): void {
    const { type } = chunk
    if (type === 'tool-approval-response') {
      if (this.#approvals.has(String(chunk['approvalId']))) return
      throw fault(type, 'nothing of that id was asked')
    }
    const callId = String(chunk['toolCallId'])
    if (type === 'tool-input-available' || type === 'tool-input-error') {
      this.#open.delete(`tool-input:${callId}`)
      this.#know(callId)
      return
    }
    if (this.#open.has(`tool-input:${callId}`)) throw fault(type, 'its input is on its way')
    if (!(this.#calls.has(callId) || this.#continues)) throw fault(type, 'its call is not known')
    if (type === 'tool-approval-request') this.#approvals.add(String(chunk['approvalId']))
  }

  #know(callId: string): void {
    this.#calls.add(callId)
    this.#callsOfStep.add(callId)
  }

  #checkStep(type: string): void {
    if ((this.#state === 'in-step') === (type === 'start-step')) {
      throw fault(type, 'steps begin and end in turn')
    }
    if (type === 'reset-step') {
      this.#open.clear()
      for (const callId of this.#callsOfStep) this.#calls.delete(callId)
      return
    }
    this.#checkClosed(type)
    this.#callsOfStep.clear()
    this.#state = type === 'start-step' ? 'in-step' : 'begun'
  }

  #checkEnding({ type, finishReason }: Chunk): void {
    this.#checkClosed(type)
    if (this.#state === 'in-step') throw fault(type, 'a step is open')
    if (!FINISH_REASONS.has(finishReason as string | undefined)) {
      throw fault(type, 'its finishReason is none')
    }
    this.#state = 'ended'
  }

  #checkClosed(type: string): void {
    const [open] = this.#open
    if (open !== undefined) throw fault(type, `"${open}" is open`)
  }
}

/** Of any name, which may end as that of another chunk does. */
function isData(type: string): boolean {
  return type.startsWith('data-') && type.length > 5
}

function chunkOf(frame: SseFrame): Chunk {
  const chunk = objectOf(frame)
  const { type } = chunk
  if (typeof type === 'string') return { ...chunk, type }
  throw fault(frame.data, 'it has no type')
}

function fault(what: string, reason: string): IllegalFrame {
  return new IllegalFrame(`The chunk is not allowed here, ${reason}`, what)
}
