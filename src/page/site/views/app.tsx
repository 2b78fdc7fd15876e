import { useSignal } from '@preact/signals'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import type { PageState } from '../chat/index.ts'
import { t } from '../words/index.ts'
import { Composer } from './composer.tsx'
import { faultText } from './faults.ts'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'
import { Sidebar } from './sidebar.tsx'
import { SignIn } from './sign-in.tsx'
import { Thread } from './thread.tsx'

// Few open them, so they load when they are opened.
const Why = lazy(async () => (await import('../why/index.ts')).Why)
const Details = lazy(async () => (await import('../details/index.ts')).Details)

/** The page; for somebody whom the server does not know, the form to sign in. */
export function App({ state }: { readonly state: PageState }) {
  return state.session.isAsked.value ? <SignIn state={state} /> : <Frame state={state} />
}

/** The conversations, the chat that is open, and the drawer that explains it. */
function Frame({ state }: { readonly state: PageState }) {
  const isListShown = useSignal(false)
  const isWhyOpen = useSignal(false)
  const chat = state.chat.value
  const title = state.list.titleOf(chat.id) ?? t('newChat')
  useEffect(() => {
    document.title = `${title} · Braidwork`
  }, [title])
  return (
    <div class={isListShown.value ? 'frame with-list' : 'frame'}>
      <Sidebar state={state} onLeave={() => (isListShown.value = false)} />
      <main class="chat">
        <header class="bar">
          <h1 class="unseen">{title}</h1>
          <button
            type="button"
            class="icon list-button"
            aria-label={t('menu')}
            aria-expanded={isListShown.value}
            onClick={() => (isListShown.value = !isListShown.value)}
          >
            <Icon name="menu" />
          </button>
          <AgentChoice state={state} />
          <button
            type="button"
            class="why-button"
            aria-expanded={isWhyOpen.value}
            onClick={() => (isWhyOpen.value = true)}
          >
            <Icon name="why" />
            {t('why')}
          </button>
        </header>
        <Notices state={state} />
        <Thread key={chat.id} state={state} chat={chat} />
        <Composer key={`${chat.id} composer`} state={state} chat={chat} />
      </main>
      <Suspense fallback={null}>
        {isWhyOpen.value && (
          <Why
            client={state.client}
            agent={chat.agent.value}
            onClose={() => (isWhyOpen.value = false)}
          />
        )}
        <Detailed state={state} />
      </Suspense>
    </div>
  )
}

/** The drawer about one answer. */
function Detailed({ state }: { readonly state: PageState }) {
  const message = state.detailed.value
  if (!message) return null
  return (
    <Details
      client={state.client}
      conversationId={state.chat.value.id}
      messageId={message.id}
      runId={message.metadata?.runId}
      onClose={() => (state.detailed.value = undefined)}
    />
  )
}

function Notices({ state }: { readonly state: PageState }) {
  const { status, fault } = state.chat.value
  const told = fault.value ?? state.fault.value
  if (status.value === 'lost') return <Notice text={t('offline')} />
  if (!told || told.status === 401) return null
  const retry = state.fault.value ? () => void state.load() : undefined
  return <Notice text={faultText(told)} {...(retry ? { onRetry: retry } : {})} />
}

function AgentChoice({ state }: { readonly state: PageState }) {
  const { agent, isBusy } = state.chat.value
  const names = new Set([...(agent.value ? [agent.value] : []), ...state.agents.value])
  return (
    <select
      class="agent"
      aria-label={t('agent')}
      value={agent.value}
      disabled={isBusy.value}
      onChange={(event) => state.choose(event.currentTarget.value)}
    >
      {[...names].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
