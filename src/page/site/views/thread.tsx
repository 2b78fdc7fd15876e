import { useLayoutEffect, useRef } from 'preact/hooks'
import { isAsking } from '../calls/index.ts'
import type { Chat, PageState } from '../chat/index.ts'
import type { UiMessage } from '../message/index.ts'
import { t } from '../words/index.ts'
import { useDrawn } from './earlier.ts'
import { earlierEndOf, endOf, isBegun } from './ends.ts'
import { MessageView } from './message.tsx'
import { OwnText } from './own-text.tsx'
import { useSought } from './sought.ts'
import { FurtherVersions } from './versions.tsx'

interface ThreadProps {
  readonly state: PageState
  readonly chat: Chat
}

/** How near to the end somebody reads who wants to see what comes, in pixels. */
const NEAR = 80

/** Says that the last answer is not whole. */
function Ended({ chat }: { readonly chat: Chat }) {
  const told = endOf(chat)
  return told ? <p class="muted ended">{told}</p> : null
}

/** What screen readers say of an answer. */
function toldOf(chat: Chat, last: UiMessage | undefined): string {
  const status = chat.status.value
  if (status === 'answering') return t('answering')
  if (status !== 'ready') return ''
  const end = endOf(chat)
  if (end) return end
  return last?.role === 'assistant' ? t(isAsking(last) ? 'waits' : 'answered') : ''
}

/** The messages of a chat. The page follows an answer as long as its end is in view. */
export function Thread({ state, chat }: ThreadProps) {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const messages = chat.messages.value
  const status = chat.status.value
  const waiting = chat.steered.waiting.value
  const drawn = useDrawn(messages.length, box)
  const isAtEnd = drawn.to === messages.length
  useLayoutEffect(() => {
    // Who sends something wants to see it, and its answer.
    if (status !== 'asking') return
    follows.current = true
    if (!isAtEnd) drawn.goTo()
  }, [status])
  useLayoutEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight
  }, [messages, status, waiting, isAtEnd])
  const onShow = () => (follows.current = false)
  const soughtId = useSought({ state, chat, drawn, box, onShow })
  const look = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    follows.current = isAtEnd && scrollHeight - scrollTop - clientHeight < NEAR
    drawn.look()
  }
  const last = messages.at(-1)
  const isBlank = status === 'asking' || (status === 'answering' && !isBegun(last))
  return (
    <div class="thread" ref={box} onScroll={look}>
      <div class="messages" role="log" aria-label={t('messages')} aria-live="off">
        {messages.length === 0 && status === 'ready' && <p class="welcome">{t('welcome')}</p>}
        {drawn.from > 0 && (
          <button type="button" class="earlier" onClick={drawn.more}>
            {t('earlier', { count: drawn.from })}
          </button>
        )}
        {messages.slice(drawn.from, drawn.to).map((message) => (
          <MessageView
            key={message.id}
            state={state}
            chat={chat}
            message={message}
            isSought={message.id === soughtId}
            end={message === last ? undefined : earlierEndOf(chat, message)}
            isComing={message === last && message.role === 'assistant' && status === 'answering'}
          />
        ))}
        {!isAtEnd && (
          <button type="button" class="earlier later" onClick={drawn.later}>
            {t('later', { count: messages.length - drawn.to })}
          </button>
        )}
        <Said texts={waiting} />
        {status === 'ready' && <Ended chat={chat} />}
        {status === 'ready' && isAtEnd && <FurtherVersions chat={chat} />}
        {isBlank && <p class="muted waiting">{t('answering')}…</p>}
      </div>
      <p class="unseen" role="status">
        {toldOf(chat, last)}
      </p>
    </div>
  )
}

/** What was said to the answer that comes, and waits until it is taken. */
function Said({ texts }: { readonly texts: Chat['steered']['waiting']['value'] }) {
  return (
    <>
      {texts.map(({ id, text }) => (
        <div key={id} class="own steered">
          <OwnText text={text} />
          <p class="muted">{t('steerWaits')}</p>
        </div>
      ))}
    </>
  )
}
