import { isOfHost } from '@braidwork/agent/internal'
import type { FilePart, Message, Part, ToolResultPart } from '@braidwork/plugin'
import { type RunFacts, withSafeAddress } from '../index.ts'
import { isByApp } from './decode.ts'
import { encryptedOf, resultId, shownResult } from './events.ts'
import { MessageIds } from './message-ids.ts'

/** A message as a client of AG-UI keeps it. */
export interface AgUiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'reasoning' | 'tool'
  readonly [field: string]: unknown
}

interface Answer {
  readonly base: string
  readonly ids: MessageIds
  step: number
}

/** Converts a history, piece by piece, to messages with the ids that clients have read in the streams. */
export class AgUiHistory {
  readonly #factsOf: (message: Message) => RunFacts | undefined
  /** The answers by their ids: a message that is said to a run divides one. */
  readonly #answers = new Map<string, Answer>()
  #answer: Answer | undefined
  #count = 0

  constructor(factsOf: (message: Message) => RunFacts | undefined) {
    this.#factsOf = factsOf
  }

  add(messages: readonly Message[]): readonly AgUiMessage[] {
    // Messages that the host inserted for the model are not for people.
    return messages.filter((one) => !isOfHost(one)).flatMap((message) => this.#shown(message))
  }

  #shown(message: Message): readonly AgUiMessage[] {
    this.#count++
    if (message.role === 'system') return []
    if (message.role === 'user') {
      this.#answer = undefined
      return [{ id: this.#idOf(message), role: 'user', content: contentOf(message.parts) }]
    }
    this.#answer ??= this.#answerOf(message)
    const { base, ids } = this.#answer
    if (message.role === 'assistant') ids.beginStep(++this.#answer.step)
    const shown = new Shown(base, ids)
    for (const part of message.parts) shown.add(part)
    return shown.messages
  }

  #answerOf(message: Message): Answer {
    const base = this.#factsOf(message)?.messageId ?? this.#idOf(message)
    const known = this.#answers.get(base) ?? { base, ids: new MessageIds(base), step: 0 }
    this.#answers.set(base, known)
    return known
  }

  #idOf({ id }: Message): string {
    return id ?? `message-${this.#count}`
  }
}

/** The messages of one step. */
class Shown {
  readonly messages: AgUiMessage[] = []
  readonly #base: string
  readonly #ids: MessageIds

  constructor(base: string, ids: MessageIds) {
    this.#base = base
    this.#ids = ids
  }

  add(part: Part): void {
    if (part.type === 'text') {
      if (part.text !== '') this.#push(this.#ids.next(), 'assistant', part)
    } else if (part.type === 'reasoning') {
      this.#push(this.#ids.nextReasoning(), 'reasoning', part)
    } else if (part.type === 'tool-call') {
      this.#call(part)
    } else if (part.type === 'tool-result') {
      this.messages.push(resultOf(part, this.#base))
    }
  }

  #push(id: string, role: 'assistant' | 'reasoning', part: Part & { readonly text: string }): void {
    this.messages.push({ id, role, content: part.text, ...encryptedOf(part) })
  }

  #call(part: Extract<Part, { type: 'tool-call' }>): void {
    const id = this.#ids.parent()
    const at = this.messages.findLastIndex((message) => message.id === id)
    const before = this.messages[at] ?? { id, role: 'assistant' as const }
    const calls = (before['toolCalls'] ?? []) as readonly object[]
    const message = { ...before, toolCalls: [...calls, callOf(part)] }
    this.messages.splice(at < 0 ? this.messages.length : at, 1, message)
  }
}

function callOf(part: Extract<Part, { type: 'tool-call' }>): object {
  const { callId: id, name, input, providerExecuted } = part
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
    ...encryptedOf(part),
    ...(providerExecuted ? { metadata: { providerExecuted } } : {}),
  }
}

function resultOf(result: ToolResultPart, base: string): AgUiMessage {
  return { id: resultId(base, result), ...shownResult(result), ...encryptedOf(result) }
}

/** What the user said, without what the application adds to it anew each time. */
function contentOf(parts: readonly Part[]): string | readonly object[] {
  const said = parts.filter((part) => !isByApp(part))
  const [first, ...others] = said
  if (first?.type === 'text' && others.length === 0) return first.text
  return said.flatMap((part) => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    return part.type === 'file' ? fileOf(part) : []
  })
}

function fileOf(file: FilePart): readonly object[] {
  const safe = withSafeAddress(file)
  if (!safe) return []
  const { mediaType: mimeType, data, url } = safe
  const kind = /^(?:image|audio|video)(?=\/)/.exec(mimeType)?.[0] ?? 'document'
  const value = data ?? url
  if (value === undefined) return []
  const type = data === undefined ? 'url' : 'data'
  return [{ type: kind, source: { type, value, mimeType } }]
}
