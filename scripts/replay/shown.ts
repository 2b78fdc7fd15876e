import type { Message, Part, Usage } from '../../src/core/index.ts'

/** The printed result of an answer. */
export interface ShownAnswer {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly {
    readonly name: string
    readonly input: unknown
    readonly providerExecuted?: true
  }[]
  readonly finishReason: string
  readonly usage: {
    readonly input?: number
    readonly output?: number
    readonly reasoning?: number
    readonly cacheRead?: number
  }
  readonly sources: readonly string[]
  readonly error: { readonly code: string; readonly message: string } | null
}

interface Outcome {
  /** The messages that had arrived before a failure. */
  readonly messages: readonly Message[]
  readonly finishReason: string
  readonly usage: Usage
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

export function shown({ messages, finishReason, usage, error }: Outcome): ShownAnswer {
  const parts = messages.flatMap((message) => message.parts)
  return {
    text: joined(parts, 'text'),
    reasoning: joined(parts, 'reasoning'),
    toolCalls: parts.filter((part) => part.type === 'tool-call').map(shownCall),
    finishReason,
    usage: shownUsage(usage),
    sources: parts.flatMap((part) =>
      part.type === 'source' && part.url !== undefined ? [part.url] : [],
    ),
    error: error ? { code: error.code, message: error.message } : null,
  }
}

/** The result of an answer that could not be read at all. */
export function shownFault(code: string, message: string): ShownAnswer {
  return shown({ messages: [], finishReason: 'error', usage: {}, error: { code, message } })
}

function joined(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

function shownCall({
  name,
  input,
  providerExecuted,
}: Extract<Part, { type: 'tool-call' }>): ShownAnswer['toolCalls'][number] {
  return { name, input, ...(providerExecuted ? { providerExecuted } : {}) }
}

function shownUsage({ input, output, reasoning, cacheRead }: Usage): ShownAnswer['usage'] {
  const members = Object.entries({ input, output, reasoning, cacheRead })
  return Object.fromEntries(members.filter(([, count]) => count !== undefined))
}
