import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PageState } from '../chat/index.ts'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'
import { Composer } from './composer.tsx'
import { faultText } from './faults.ts'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'
import { Sidebar } from './sidebar.tsx'
import { SignIn } from './sign-in.tsx'
import { Thread } from './thread.tsx'

type WhyDrawer = ComponentType<{
  readonly client: Client
  readonly agent: string | undefined
  readonly onClose: () => void
}>

/** The page; for somebody whom the server does not know, the form to sign in. */
export function App({ state }: { readonly state: PageState }) {
  return state.session.isAsked.value ? <SignIn state={state} /> : <Frame state={state} />
}

/** The conversations, the chat that is open, and the drawer that explains it. */
function Frame({ state }: { readonly state: PageState }) {
  const isListShown = useSignal(false)
  const why = useSignal<WhyDrawer | undefined>(undefined)
  const chat = state.chat.value
  const Why = why.value
  const title = state.list.titleOf(chat.id) ?? t('newChat')
  useEffect(() => {
    document.title = `${title} · Braidwork`
  }, [title])
  const turnWhy = async () => {
    why.value = Why ? undefined : (await import('../why/index.ts')).Why
  }
  return (
    <div class={`frame ${isListShown.value ? 'with-list' : ''} ${Why ? 'with-why' : ''}`}>
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
            aria-expanded={Why !== undefined}
            onClick={() => void turnWhy()}
          >
            <Icon name="why" />
            {t('why')}
          </button>
        </header>
        <Notices state={state} />
        <Thread key={chat.id} state={state} chat={chat} />
        <Composer key={`${chat.id} composer`} state={state} chat={chat} />
      </main>
      {Why && (
        <Why
          key={chat.agent.value}
          client={state.client}
          agent={chat.agent.value}
          onClose={() => (why.value = undefined)}
        />
      )}
    </div>
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
