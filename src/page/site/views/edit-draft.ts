import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Chat, PageState } from '../chat/index.ts'
import { textOf, type UiMessage } from '../message/index.ts'

/** The text of a message while it is changed. It stays until the server has it, also over a reload. */
export interface EditDraft {
  /** Undefined while the message is not changed. */
  readonly text: Signal<string | undefined>
  /** Whether it was kept from before, so that the box takes the focus of nothing else. */
  readonly isKept: Signal<boolean>
  /** Undefined ends the change. */
  readonly write: (text: string | undefined) => void
}

export function useEditDraft(state: PageState, chat: Chat, message: UiMessage): EditDraft {
  const { drafts } = state
  const key = `edit.${chat.id}.${message.id}`
  const kept = () => {
    const text = message.role === 'user' ? drafts.get(key) : undefined
    return text === textOf(message) ? undefined : text
  }
  const text = useSignal(useMemo(kept, [key]))
  const isKept = useSignal(true)
  useEffect(() => {
    // As long as it is not known whose drafts are kept, there is none.
    if (text.value === undefined) void drafts.owned.then(() => (text.value ??= kept()))
  }, [key])
  const write = (written: string | undefined) => {
    isKept.value = false
    text.value = written
    drafts.set(key, written === textOf(message) ? undefined : written)
  }
  return { text, isKept, write }
}
