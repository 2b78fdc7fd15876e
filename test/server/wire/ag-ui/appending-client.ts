import { sseFrames } from '../frames.ts'

export interface KeptMessage {
  readonly id: string
  readonly role: string
  content?: string
  toolCalls?: { readonly id: string; readonly function: { name: string; arguments: string } }[]
  readonly toolCallId?: string
  encryptedValue?: string
}

type Event = { readonly type: string } & { readonly [field: string]: string | undefined }

/** Keeps messages as the published client does: it appends what it is told to what it has, and keeps each result. */
export class AppendingClient {
  readonly messages: KeptMessage[]

  constructor(messages: readonly KeptMessage[] = []) {
    this.messages = structuredClone([...messages])
  }

  read(text: string): void {
    for (const { data } of sseFrames(text)) this.#read(JSON.parse(data))
  }

  #read({ type, messageId = '', delta = '', ...event }: Event): void {
    if (/^(?:TEXT|REASONING)_MESSAGE_START$/.test(type)) {
      this.#message(messageId, event['role'] ?? '')
    } else if (/^(?:TEXT|REASONING)_MESSAGE_CONTENT$/.test(type)) {
      const message = this.#message(messageId, '')
      message.content = (message.content ?? '') + delta
    } else if (type === 'TOOL_CALL_RESULT') {
      const { toolCallId = '', content = '' } = event
      this.messages.push({ id: messageId, role: 'tool', toolCallId, content })
    } else if (type.startsWith('TOOL_CALL_')) {
      this.#call(event['toolCallId'] ?? '', { type, delta, ...event })
    }
  }

  #call(id: string, { type, delta = '', parentMessageId = '', toolCallName: name = '' }: Event) {
    const known = this.messages.flatMap(({ toolCalls }) => toolCalls ?? [])
    const call = known.find((one) => one.id === id)
    if (type === 'TOOL_CALL_ARGS' && call) call.function.arguments += delta
    if (type !== 'TOOL_CALL_START' || call) return
    const message = this.#message(parentMessageId, 'assistant')
    message.toolCalls = [...(message.toolCalls ?? []), { id, function: { name, arguments: '' } }]
  }

  #message(id: string, role: string): KeptMessage {
    const known = this.messages.find((message) => message.id === id)
    if (known) return known
    const message = { id, role }
    this.messages.push(message)
    return message
  }
}
