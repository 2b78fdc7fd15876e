import type { UiMessage } from '../message/index.ts'
import { withText } from './message-list.ts'

/** What a person sends. */
export interface Turn {
  /** The messages that are shown when it is sent. */
  readonly shown: readonly UiMessage[]
  /** The last of them, which the server answers. */
  readonly asked: UiMessage | undefined
  /** What the request says of it. */
  readonly body: object
}

export function newTurn(all: readonly UiMessage[], message: UiMessage): Turn {
  return { shown: [...all, message], asked: message, body: { message } }
}

/** Asks again with a changed message, which takes the place of the old one and all after it. */
export function editedTurn(all: readonly UiMessage[], message: UiMessage, text: string): Turn {
  return newTurn(all.slice(0, all.indexOf(message)), withText(message, text))
}

/** Drops an answer and asks for another, or asks a question again that has no answer. */
export function repeatedTurn(all: readonly UiMessage[], message: UiMessage): Turn {
  const isQuestion = message.role === 'user'
  const shown = all.slice(0, all.indexOf(message) + (isQuestion ? 1 : 0))
  const dropped = isQuestion ? {} : { messageId: message.id }
  const messages = shown.slice(-1)
  return {
    shown,
    asked: shown.at(-1),
    body: { trigger: 'regenerate-message', ...dropped, messages },
  }
}
