import type { Signal } from '@preact/signals'
import { lazy, Suspense } from 'preact/compat'
import type { PageState } from '../chat/index.ts'
import type { DrawerName } from './chat-bar.tsx'

// Few open them, so they load when they are opened.
const Why = lazy(async () => (await import('../why/index.ts')).Why)
const Details = lazy(async () => (await import('../details/index.ts')).Details)
const Settings = lazy(async () => (await import('../settings/index.ts')).Settings)
const Agents = lazy(async () => (await import('../agents/index.ts')).Agents)

interface DrawersProps {
  readonly state: PageState
  readonly opened: Signal<DrawerName | undefined>
}

/** The drawer that is open, if any. */
export function Drawers({ state, opened }: DrawersProps) {
  const chat = state.chat.value
  const onClose = () => (opened.value = undefined)
  const about = {
    client: state.client,
    place: chat.place,
    ensure: () => state.ensure(chat),
    onClose,
  }
  return (
    <Suspense fallback={null}>
      {opened.value === 'why' && <Why {...about} titles={state.agents.value} />}
      {opened.value === 'settings' && <Settings {...about} />}
      {opened.value === 'agents' && (
        <Agents client={state.client} onChange={() => void state.load()} onClose={onClose} />
      )}
      <Detailed state={state} />
    </Suspense>
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
      isAdmin={state.isAdmin.value}
      onClose={() => (state.detailed.value = undefined)}
    />
  )
}
