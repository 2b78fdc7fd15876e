import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Chat, PageState } from '../chat/index.ts'
import type { Drawn } from './earlier.ts'

interface SoughtProps {
  readonly state: PageState
  readonly chat: Chat
  readonly drawn: Drawn
  readonly box: RefObject<HTMLElement | null>
  /** Is called before the message is shown. */
  readonly onShow: () => void
}

/** Scrolls a message to the middle of the box. One that is taller than the box shows its beginning. */
function center(box: HTMLElement, article: HTMLElement): void {
  const { top, height } = article.getBoundingClientRect()
  const around = box.getBoundingClientRect()
  box.scrollTop += top - around.top - Math.max(0, (around.height - height) / 2)
}

/** Shows the message that a search found, once it is there. @returns its id, if it is one of this chat */
export function useSought({ state, chat, drawn, box, onShow }: SoughtProps): string | undefined {
  const sought = state.sought.value?.conversationId === chat.id ? state.sought.value : undefined
  const shown = useRef<object | undefined>(undefined)
  const messages = chat.messages.value
  useLayoutEffect(() => {
    if (!sought || shown.current === sought) return
    const index = messages.findIndex(({ id }) => id === sought.messageId)
    if (index < 0) return
    onShow()
    if (index < drawn.from || index >= drawn.to) return drawn.goTo(index)
    shown.current = sought
    const place = `[data-message="${CSS.escape(sought.messageId)}"]`
    const article = box.current?.querySelector<HTMLElement>(place)
    if (!box.current || !article) return
    center(box.current, article)
    article.focus({ preventScroll: true })
  }, [sought, messages, drawn.from, drawn.to])
  return sought?.messageId
}
