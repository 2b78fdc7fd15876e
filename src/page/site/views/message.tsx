import { memo } from 'preact/compat'
import { useRef } from 'preact/hooks'
import { ToolCall } from '../calls/index.ts'
import type { Chat, PageState } from '../chat/index.ts'
import {
  CopyButton,
  focusMessageBefore,
  IconButton,
  type Press,
  useReturn,
} from '../controls/index.ts'
import { FileView } from '../files/index.ts'
import { Markdown } from '../markdown/index.ts'
import { isTool, steeringOf, textOf, type UiMessage, type UiPart } from '../message/index.ts'
import { t } from '../words/index.ts'
import { useEditDraft } from './edit-draft.ts'
import { Edited } from './edited.tsx'
import { OwnText } from './own-text.tsx'
import { Sources } from './sources.tsx'
import { Usage } from './usage.tsx'
import { VersionsView } from './versions.tsx'

interface MessageProps {
  readonly state: PageState
  readonly chat: Chat
  readonly message: UiMessage
  /** Whether the answer still comes. */
  readonly isComing: boolean
  /** Whether a search has led to it. */
  readonly isSought?: boolean
  /** Says that it is not whole, if it is an answer before the last one. */
  readonly end?: string | undefined
}

/** A message, and what may be done with it. Only those that change are drawn again. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  const { state, chat, message, isComing, isSought, end } = props
  const draft = useEditDraft(state, chat, message)
  const isEdited = draft.text.value !== undefined
  const article = useReturn<HTMLElement>(isEdited, `[aria-label="${t('edit')}"]`, useRef(false))
  const isOwn = message.role === 'user'
  const name = isOwn ? t('you') : authorOf(message, state)
  return (
    <article
      ref={article}
      class={`message${isOwn ? ' own' : ''}${isSought ? ' sought' : ''}`}
      aria-label={name}
      data-message={message.id}
      tabIndex={-1}
    >
      <h2 class={isOwn ? 'unseen' : 'author'}>{name}</h2>
      {isEdited ? (
        <Edited state={state} chat={chat} message={message} draft={draft} />
      ) : (
        <Parts {...props} />
      )}
      {end && <p class="muted ended">{end}</p>}
      <Sources parts={message.parts} />
      {!isComing && !isEdited && (
        <Actions
          state={state}
          chat={chat}
          message={message}
          onEdit={() => draft.write(textOf(message))}
        />
      )}
    </article>
  )
})

/** The title of who wrote an answer. */
function authorOf({ metadata }: UiMessage, { agents }: PageState): string {
  const { agent } = metadata ?? {}
  return agent === undefined ? t('assistant') : (agents.value.get(agent) ?? agent)
}

function Parts(props: MessageProps) {
  const { parts } = props.message
  return (
    <>
      {parts.map((part, at) => (
        <PartView key={keyOf(part, at)} {...props} part={part} />
      ))}
    </>
  )
}

function keyOf(part: UiPart, at: number): string {
  return isTool(part) ? part.toolCallId : `${at}`
}

function PartView({
  state,
  chat,
  message,
  isComing,
  part,
}: MessageProps & { readonly part: UiPart }) {
  if (isTool(part)) {
    const show = (below: UiMessage) => (
      <Parts state={state} chat={chat} message={below} isComing={false} />
    )
    return <ToolCall state={state} chat={chat} message={message} part={part} show={show} />
  }
  const steering = steeringOf(part)
  if (steering) return <Steering text={steering.text} />
  switch (part.type) {
    case 'text':
      if (message.role === 'user') return <OwnText text={part.text} />
      return <Markdown text={part.text} isStreaming={isComing && part.state === 'streaming'} />
    case 'reasoning':
      return (
        <Reasoning
          text={(part as { readonly text: string }).text}
          isComing={isComing && part === message.parts.at(-1)}
        />
      )
    case 'file':
      return <FileView client={state.client} file={part} />
    default:
      return null
  }
}

/** What the person said to the answer, where it took it. */
function Steering({ text }: { readonly text: string }) {
  return (
    <div class="own steering">
      <h3 class="unseen">{t('you')}</h3>
      <OwnText text={text} />
    </div>
  )
}

function Reasoning({ text, isComing }: { readonly text: string; readonly isComing: boolean }) {
  if (text === '') return null
  return (
    <details class="fold reasoning">
      <summary>{t(isComing ? 'thinking' : 'thought')}</summary>
      <p class="said">{text}</p>
    </details>
  )
}

interface ActionsProps {
  readonly state: PageState
  readonly chat: Chat
  readonly message: UiMessage
  readonly onEdit: () => void
}

function Actions({ state, chat, message, onEdit }: ActionsProps) {
  const isOwn = message.role === 'user'
  const isBusy = chat.isBusy.value
  const isAnswerable = !isOwn || (message === chat.messages.value.at(-1) && !isBusy)
  const text = textOf(message)
  const again = (press: Press) => {
    focusMessageBefore(press)
    void chat.regenerate(message)
  }
  return (
    <footer class="actions">
      <VersionsView chat={chat} messageId={message.id} />
      <CopyButton text={text} />
      {isOwn && <Action name="edit" isOff={isBusy} onClick={onEdit} />}
      {isAnswerable && <Action name="regenerate" isOff={isBusy} onClick={again} />}
      {!isOwn && (
        <Action
          name="branch"
          isOff={isBusy}
          onClick={() => void state.branch(message.id, branchTitle(state, chat))}
        />
      )}
      <DetailsAction state={state} message={message} />
      <Usage message={message} />
    </footer>
  )
}

/** Opens the drawer about an answer. Only admins may see what was sent for it, and all who may read it its time line. */
function DetailsAction({ state, message }: Pick<ActionsProps, 'state' | 'message'>) {
  const isAdmin = state.isAdmin.value
  if (message.role === 'user' || !(isAdmin || message.metadata?.runId)) return null
  const open = () => (state.detailed.value = message)
  const name = t(isAdmin ? 'details' : 'timeLine')
  return <IconButton icon="details" name={name} onClick={open} />
}

/** The title of a branch tells it from the conversation that it comes from. */
function branchTitle({ list }: PageState, { id }: Chat): string | undefined {
  const title = list.titleOf(id)
  return title === undefined ? undefined : t('branchOf', { title })
}

const ICONS = { edit: 'edit', regenerate: 'again', branch: 'branch' } as const

interface ActionProps {
  readonly name: keyof typeof ICONS
  readonly isOff: boolean
  readonly onClick: (press: Press) => void
}

function Action({ name, isOff, onClick }: ActionProps) {
  return <IconButton icon={ICONS[name]} name={t(name)} isOff={isOff} onClick={onClick} />
}
