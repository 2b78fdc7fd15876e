import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { PageState } from '../chat/index.ts'
import { begunIn, hasContent } from '../composer/index.ts'
import { Icon, IconButton, type Press, useFocus, useReturn } from '../controls/index.ts'
import { type Conversation, LONGEST_SEARCH } from '../server/index.ts'
import { t } from '../words/index.ts'
import { Marked } from './marked.tsx'

interface SidebarProps {
  readonly state: PageState
  /** On a narrow screen the list makes room for the chat that was chosen. */
  readonly onLeave: () => void
}

/** The conversations: search, open, rename, delete. */
export function Sidebar({ state, onLeave }: SidebarProps) {
  const { list, session } = state
  const shown = list.shown.value.filter((one) => hasContent(one, state))
  const open = (id?: string, messageId?: string) => {
    state.open(id, messageId)
    onLeave()
  }
  const isSearching = list.isSearching.value
  return (
    <nav class="list" aria-label={t('conversations')}>
      <button type="button" class="new" onClick={() => open()}>
        <Icon name="plus" />
        {t('newChat')}
      </button>
      <input
        type="search"
        class="search"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={LONGEST_SEARCH}
        value={list.search.value}
        onInput={(event) => {
          const { value } = event.currentTarget
          void state.guarded(() => list.find(value))
        }}
      />
      <ul>
        {shown.map((one) => (
          <Row
            key={one.id}
            state={state}
            conversation={one}
            onOpen={() => open(one.id, one.found?.messageId)}
          />
        ))}
      </ul>
      {shown.length === 0 && !isSearching && (list.isLoaded.value || list.search.value) && (
        <p class="muted">{list.search.value ? t('noneFound') : t('noConversations')}</p>
      )}
      {isSearching && <p class="muted">{t('searching')}</p>}
      <p class="unseen" role="status">
        {list.search.value && !isSearching ? t('foundCount', { count: shown.length }) : ''}
      </p>
      {list.hasMore.value && (
        <button type="button" onClick={() => void state.guarded(() => list.more())}>
          {t('more')}
        </button>
      )}
      {session.token !== undefined && session.person && (
        <p class="muted caller">{t('signedInAs', { person: session.person })}</p>
      )}
      {session.token !== undefined && (
        <button type="button" class="sign-out" onClick={() => state.signOut()}>
          {t('signOut')}
        </button>
      )}
    </nav>
  )
}

interface RowProps {
  readonly state: PageState
  readonly conversation: Conversation
  readonly onOpen: () => void
}

function Row({ state, conversation, onOpen }: RowProps) {
  const name = useSignal<string | undefined>(undefined)
  const { id, titleMarks = [], found } = conversation
  const given = conversation.title?.trim() ? conversation.title : begunIn(id, state)
  const title = given || t('untitled')
  const isLeft = useRef(false)
  const row = useReturn<HTMLLIElement>(
    name.value !== undefined,
    `[aria-label^="${t('rename')}"]`,
    isLeft,
  )
  if (name.value !== undefined) {
    const end = () => (name.value = undefined)
    return <RowName state={state} id={id} name={name.value} isLeft={isLeft} onEnd={end} />
  }
  const isOpen = state.chat.value.id === id
  const isAnswering = isOpen ? state.chat.value.isBusy.value : state.left.has(id)
  return (
    <li ref={row} class={isOpen ? 'chat-row open' : 'chat-row'}>
      <button
        type="button"
        class="title"
        aria-current={isOpen ? 'page' : undefined}
        onClick={onOpen}
      >
        <span class="name">
          <Marked text={title} marks={titleMarks} />
        </span>
        {isAnswering && <span class="answering">{t('answering')}…</span>}
        {found && (
          <span class="found">
            {found.role === 'user' && `${t('you')}: `}
            <Marked text={found.text} marks={found.marks} />
          </span>
        )}
      </button>
      <IconButton icon="edit" name={t('rename')} of={title} onClick={() => (name.value = title)} />
      <IconButton
        icon="delete"
        name={t('delete')}
        of={title}
        onClick={(press) => void removed(state, id, press)}
      />
    </li>
  )
}

async function removed(state: PageState, id: string, { currentTarget }: Press): Promise<void> {
  if (!confirm(t('deleteAsk'))) return
  currentTarget.closest('nav')?.querySelector('button')?.focus()
  const isOpen = state.chat.value.id === id
  // That its answer ends is nothing to tell.
  if (isOpen) state.open()
  await state.guarded(() => state.remove(id))
  if (!state.fault.value) state.drafts.forget(id)
  else if (isOpen) state.open(id)
}

interface RowNameProps {
  readonly state: PageState
  readonly id: string
  readonly name: string
  /** Set where the person goes elsewhere, which saves the name too. */
  readonly isLeft: RefObject<boolean>
  readonly onEnd: () => void
}

function RowName({ state, id, name, isLeft, onEnd }: RowNameProps) {
  const text = useSignal(name)
  const field = useFocus<HTMLInputElement>()
  /** A field that goes loses the focus, which must not save it then. */
  const isOver = useRef(false)
  const end = () => {
    isOver.current = true
    onEnd()
  }
  const save = (event: Event) => {
    event.preventDefault()
    if (isOver.current) return
    isLeft.current = event.type === 'blur'
    const title = text.value.trim()
    if (title && title !== name) void state.guarded(() => state.list.rename(id, title))
    end()
  }
  return (
    <li class="chat-row">
      <form onSubmit={save}>
        <input
          ref={field}
          aria-label={t('rename')}
          maxLength={1000}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            // The list stays.
            event.stopPropagation()
            end()
          }}
        />
      </form>
    </li>
  )
}
