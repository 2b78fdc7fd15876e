import { EventEmitter, once } from 'node:events'

/** The state of a chat of the AI SDK, as its frameworks have one. */
export class ChatState {
  #messages = []
  #error
  #status = 'ready'
  /** Emits `change` with each change of the others. */
  changes = new EventEmitter()
  get messages() {
    return this.#messages
  }
  set messages(messages) {
    this.#messages = messages
    this.changes.emit('change')
  }
  get status() {
    return this.#status
  }
  set status(status) {
    this.#status = status
    this.changes.emit('change')
  }
  get error() {
    return this.#error
  }
  set error(error) {
    this.#error = error
    this.changes.emit('change')
  }
  pushMessage = (message) => {
    this.messages = [...this.messages, message]
  }
  popMessage = () => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = (value) => structuredClone(value)
}

/** Resolves once a chat has changed so that something is true of it. */
export async function changedUntil({ changes }, isTrue) {
  while (!isTrue()) await once(changes, 'change')
}
