import type { UiMessage } from './types.ts'
export class MessageReader {
  message: UiMessage | undefined
  error: string | undefined
  isEnded = false
  constructor(before?: UiMessage) {
    this.message = before
  }
  add(chunk: unknown): void {
    const c = chunk as Record<string, any>
    if (c.type === 'start')
      this.message = { id: c.messageId, role: 'assistant', parts: [], metadata: c.messageMetadata }
    if (c.type === 'text-delta' && this.message) {
      const last = this.message.parts.at(-1)
      this.message = {
        ...this.message,
        parts:
          last?.type === 'text'
            ? [
                ...this.message.parts.slice(0, -1),
                { type: 'text', text: (last as any).text + c.delta, state: 'streaming' },
              ]
            : [...this.message.parts, { type: 'text', text: c.delta, state: 'streaming' }],
      }
    }
    if (c.type === 'finish' || c.type === 'abort' || c.type === 'error') this.isEnded = true
  }
}
