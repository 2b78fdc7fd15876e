import { useSignal } from '@preact/signals'
import type { Chat } from '../chat/index.ts'
import { type ToolPart, toolNameOf, type UiMessage } from '../message/index.ts'
import { t, type Words } from '../words/index.ts'
import { Icon } from './icon.tsx'
import { References } from './references.tsx'
import { factsOf } from './tool-facts.ts'

interface ToolCallProps {
  readonly chat: Chat
  readonly message: UiMessage
  readonly part: ToolPart
}

const STATES: { readonly [S in ToolPart['state']]: keyof Words } = {
  'input-streaming': 'toolRuns',
  'input-available': 'toolRuns',
  'approval-requested': 'toolWaits',
  'approval-responded': 'toolRuns',
  'output-available': 'toolDone',
  'output-error': 'toolFailed',
  'output-denied': 'toolDenied',
}

/** A call of a tool: what it was given, what came of it, and what it waits for. */
export function ToolCall({ chat, message, part }: ToolCallProps) {
  const state = questionOf(part, chat)
    ? 'toolWaits'
    : part.preliminary
      ? 'toolRuns'
      : STATES[part.state]
  const { errorClass, references } = factsOf(part)
  return (
    <section class={`tool ${state}`} aria-label={toolNameOf(part)}>
      <details class="fold">
        <summary>
          <Icon name="tool" />
          <span class="tool-name">{toolNameOf(part)}</span>
          <span class="tool-state">
            {t(state)}
            {errorClass === undefined ? '' : `: ${errorClass}`}
          </span>
        </summary>
        <Value name={t('input')} value={part.input} />
        {part.output !== undefined && (
          <Value name={t(part.preliminary ? 'progress' : 'output')} value={part.output} />
        )}
        {part.errorText !== undefined && <Value name={t('toolFailed')} value={part.errorText} />}
        <References chat={chat} references={references} />
      </details>
      {part.state === 'approval-requested' && <Approval chat={chat} part={part} />}
      {questionOf(part, chat) && <Question chat={chat} message={message} part={part} />}
    </section>
  )
}

const LONGEST_VALUE = 20_000

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  return (
    <div class="value">
      <h3>{name}</h3>
      <pre tabindex={0}>
        {text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text}
      </pre>
    </div>
  )
}

function Approval({ chat, part }: { readonly chat: Chat; readonly part: ToolPart }) {
  const { approval } = part
  if (!approval) return null
  const answer = (approved: boolean) => () => void chat.answer(approval.id, { approved })
  const isOff = chat.isBusy.value
  return (
    <fieldset class="asked">
      <legend>{t('mayRun', { tool: toolNameOf(part) })}</legend>
      <Value name={t('input')} value={part.input} />
      <button type="button" class="main" disabled={isOff} onClick={answer(true)}>
        {t('allow')}
      </button>
      <button type="button" disabled={isOff} onClick={answer(false)}>
        {t('deny')}
      </button>
    </fieldset>
  )
}

/** The question of a call that waits for a person's answer: its run has ended, and the call has no output. */
function questionOf(part: ToolPart, chat: Chat): string | undefined {
  if (part.state !== 'input-available' || chat.isBusy.value) return undefined
  const { question } = Object(part.input) as { readonly question?: unknown }
  return typeof question === 'string' ? question : undefined
}

function Question({ chat, message, part }: ToolCallProps) {
  const text = useSignal('')
  const { options } = Object(part.input) as { readonly options?: unknown }
  const choices = Array.isArray(options) ? options.filter((one) => typeof one === 'string') : []
  const answer = (output: string) => void chat.answerCall(message, part.toolCallId, output)
  const send = (event: Event) => {
    event.preventDefault()
    if (text.value.trim()) answer(text.value.trim())
  }
  return (
    <form class="asked" onSubmit={send}>
      <p>{questionOf(part, chat)}</p>
      {choices.map((choice) => (
        <button key={choice} type="button" onClick={() => answer(choice)}>
          {choice}
        </button>
      ))}
      <input
        aria-label={t('answer')}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button type="submit" class="main">
        {t('answer')}
      </button>
    </form>
  )
}
