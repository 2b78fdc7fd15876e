import type { Signal } from '@preact/signals'
import type { PageState } from '../chat/index.ts'
import { Icon, IconButton } from '../controls/index.ts'
import { t } from '../words/index.ts'

/** The drawers that the bar opens. */
export type DrawerName = 'why' | 'settings' | 'agents'

interface ChatBarProps {
  readonly state: PageState
  readonly title: string
  readonly isListShown: Signal<boolean>
  readonly opened: Signal<DrawerName | undefined>
}

/** What is above a chat: the list, the choice of who answers, and what may be opened. */
export function ChatBar({ state, title, isListShown, opened }: ChatBarProps) {
  return (
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
      {state.isAdmin.value && <Opens name="agents" opened={opened} />}
      <Opens name="settings" opened={opened} />
      <button
        type="button"
        class="why-button"
        aria-expanded={opened.value === 'why'}
        onClick={() => (opened.value = 'why')}
      >
        <Icon name="why" />
        <span>{t('why')}</span>
      </button>
    </header>
  )
}

interface OpensProps {
  readonly name: 'settings' | 'agents'
  readonly opened: Signal<DrawerName | undefined>
}

function Opens({ name, opened }: OpensProps) {
  const isExpanded = opened.value === name
  const open = () => (opened.value = name)
  return <IconButton icon={name} name={t(name)} isExpanded={isExpanded} onClick={open} />
}

function AgentChoice({ state }: { readonly state: PageState }) {
  const { agent, isBusy } = state.chat.value
  const { value: titles } = state.agents
  const names = new Set([...(agent.value ? [agent.value] : []), ...titles.keys()])
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
          {titles.get(name) ?? name}
        </option>
      ))}
    </select>
  )
}
