import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { PageState } from '../chat/index.ts'
import { Composer, draftOf } from '../composer/index.ts'
import { Notice } from '../controls/index.ts'
import { faultText } from '../reasons/index.ts'
import { t } from '../words/index.ts'
import { ChatBar, type DrawerName } from './chat-bar.tsx'
import { Drawers } from './drawers.tsx'
import { Sidebar } from './sidebar.tsx'
import { SignIn } from './sign-in.tsx'
import { Thread } from './thread.tsx'

/** The page; for somebody whom the server does not know, the form to sign in. */
export function App({ state }: { readonly state: PageState }) {
  const { isAsked, token } = state.session
  // Whose token has ended finds what they typed as it was. Who signs out leaves nothing.
  const isKept = token !== undefined
  return (
    <>
      {(!isAsked.value || isKept) && <Frame state={state} />}
      {isAsked.value && <SignIn state={state} isAbove={isKept} />}
    </>
  )
}

/** The conversations, the chat that is open, and the drawers. */
function Frame({ state }: { readonly state: PageState }) {
  const isListShown = useSignal(false)
  const opened = useSignal<DrawerName | undefined>(undefined)
  const chat = state.chat.value
  const title = state.list.titleOf(chat.id) ?? t('newChat')
  const leave = () => (isListShown.value = false)
  useEffect(() => {
    document.title = `${title} · Braidwork`
  }, [title])
  useEscape(isListShown.value, leave)
  return (
    <div class={isListShown.value ? 'frame with-list' : 'frame'}>
      <Sidebar state={state} onLeave={leave} />
      {isListShown.value && (
        <button type="button" class="backdrop" aria-label={t('menu')} onClick={leave} />
      )}
      <main class="chat">
        <ChatBar state={state} title={title} isListShown={isListShown} opened={opened} />
        <Notices state={state} />
        <Thread key={chat.id} state={state} chat={chat} />
        <Composer key={`${chat.id} composer`} state={state} chat={chat} />
      </main>
      <Drawers state={state} opened={opened} />
    </div>
  )
}

/** Does something when the person presses Escape, while it is wanted: from the moment on that what is to close is drawn. */
function useEscape(isWanted: boolean, act: () => void): void {
  useLayoutEffect(() => {
    if (!isWanted) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && act()
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isWanted])
}

function Notices({ state }: { readonly state: PageState }) {
  const chat = state.chat.value
  const { status, fault } = chat
  if (status.value === 'lost') return <Notice text={t('offline')} />
  const told = fault.value ?? state.fault.value
  const all = [...(told ? [told] : []), ...draftOf({ state, chat }).refused.value]
  const retry = state.fault.value ? () => void state.load() : undefined
  return (
    <>
      {all
        .filter((one) => one.status !== 401)
        .map((one, at) => (
          <Notice
            key={`${at}`}
            text={faultText(one)}
            {...(retry && one === told ? { onRetry: retry } : {})}
          />
        ))}
    </>
  )
}
