import { createAiSdk } from '../../../providers/ai-sdk/index.ts'
import type { CallOptions, RawPart } from '../../../providers/ai-sdk/model-types.ts'
import { type ConfigLayer, createHost, type Host, type Message } from '../../../src/core/index.ts'

export interface FakeOptions {
  readonly version?: string
  readonly provider?: string
  /** The parts of the stream. A function makes them when they are asked for. */
  readonly parts?: readonly RawPart[]
  readonly whole?: object
  readonly thrown?: unknown
  readonly supportedUrls?: { readonly [type: string]: readonly RegExp[] }
  readonly headers?: { readonly [name: string]: string }
  /** Whether the stream stays open after its parts. */
  readonly isEndless?: boolean
}

export const FINISH = {
  v2: { type: 'finish', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 2 } },
  v4: {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'end' },
    usage: { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
  },
} as const

export const SAID = [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Hi' },
  { type: 'text-end', id: '0' },
]

const WHOLE = { ...FINISH.v4, content: [{ type: 'text', text: 'Hi' }] }

/** A provider of the AI SDK whose models say what a test tells them to. */
export class FakeModels {
  readonly asked: CallOptions[] = []
  isCancelled = false
  told: FakeOptions

  constructor(told: FakeOptions = {}) {
    this.told = told
  }

  readonly languageModel = (modelId: string) => {
    const { version = 'v4', provider = 'fake.chat', supportedUrls = {} } = this.told
    return {
      specificationVersion: version,
      provider,
      modelId,
      supportedUrls,
      doGenerate: async (options: CallOptions) => {
        this.asked.push(options)
        this.#throw()
        return this.told.whole ?? WHOLE
      },
      doStream: async (options: CallOptions) => {
        this.asked.push(options)
        this.#throw()
        return { stream: this.#stream(), response: { headers: this.told.headers } }
      },
    }
  }

  #throw(): void {
    if (this.told.thrown !== undefined) throw this.told.thrown
  }

  #stream(): ReadableStream {
    const parts = [...(this.told.parts ?? [...SAID, FINISH.v4])]
    return new ReadableStream({
      pull: (controller) => {
        const part = parts.shift()
        if (part) controller.enqueue(part)
        else if (!this.told.isEndless) controller.close()
      },
      cancel: () => {
        this.isCancelled = true
      },
    })
  }
}

export function configOf(more: ConfigLayer = {}, settings: object = {}): ConfigLayer {
  return {
    provider: 'ai-sdk',
    model: 'm',
    ...more,
    settings: { 'ai-sdk': { models: ['m'], ...settings } },
  }
}

export function hostOf(models: FakeModels): Promise<Host> {
  return createHost({ plugins: [createAiSdk({ provider: models })] })
}

export const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
