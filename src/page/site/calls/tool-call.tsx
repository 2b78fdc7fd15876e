import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Chat, PageState } from '../chat/index.ts'
import { Icon } from '../controls/index.ts'
import { isTool, type ToolPart, toolNameOf, type UiMessage } from '../message/index.ts'
import { t, type Words, wordFor } from '../words/index.ts'
import { Asked } from './asked.tsx'
import { CallRecord } from './call-record.tsx'
import { askingIn, isAsking as isAskingAtAll, isDeclined, questionOf } from './questions.ts'
import { References } from './references.tsx'
import { factsOf } from './tool-facts.ts'
import { Value } from './value.tsx'

interface ToolCallProps {
  readonly state: PageState
  readonly chat: Chat
  readonly message: UiMessage
  readonly part: ToolPart
  /** Shows the parts of an answer. */
  readonly show: (message: UiMessage) => ComponentChildren
}

const STATES: { readonly [S in ToolPart['state']]: keyof Words } = {
  'input-streaming': 'toolPrepares',
  'input-available': 'toolRuns',
  'approval-requested': 'toolWaits',
  'approval-responded': 'toolRuns',
  'output-available': 'toolDone',
  'output-error': 'toolFailed',
  'output-denied': 'toolDenied',
}

/** Whether the model still writes the arguments of a call. No call of its answer runs before that has ended. */
function isWritten({ parts }: UiMessage): boolean {
  return parts.some((part) => isTool(part) && part.state === 'input-streaming')
}

function stateOf({ chat, message, part }: Omit<ToolCallProps, 'state' | 'show'>): keyof Words {
  const isAsking = questionOf(part) !== undefined || askingIn(message, part) !== undefined
  if (isAsking && !chat.isBusy.value) return 'toolWaits'
  if (part.state === 'approval-responded') {
    if (part.approval?.approved === false) return 'toolDenied'
    if (!chat.isBusy.value && isAskingAtAll(message)) return 'toolAllowed'
  }
  if (isDeclined(part)) return 'toolUnanswered'
  if (part.state === 'input-available' && isWritten(message)) return 'toolPrepares'
  return part.preliminary ? 'toolRuns' : STATES[part.state]
}

/** A call of a tool: what it was given, what came of it, and what it waits for. */
export function ToolCall({ state, chat, message, part, show }: ToolCallProps) {
  const isOpen = useSignal(false)
  const status = stateOf({ chat, message, part })
  const { errorClass, references } = factsOf(part)
  return (
    // A region would need a name of its own, which two calls of a tool do not have.
    <fieldset class={`tool ${status}`} aria-label={toolNameOf(part)}>
      <details class="fold" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>
          <Icon name="tool" />
          <span class="tool-name">{toolNameOf(part)}</span>
          <span class="tool-state">
            {t(status)}
            {errorClass === undefined || status === 'toolUnanswered'
              ? ''
              : `: ${wordFor(`toolError_${errorClass}`) ?? errorClass}`}
          </span>
        </summary>
        <Value name={t('input')} value={part.input} />
        {part.output !== undefined && (
          <Value name={t(part.preliminary ? 'progress' : 'output')} value={part.output} />
        )}
        {part.errorText !== undefined && status !== 'toolUnanswered' && (
          <Value name={t('error')} value={part.errorText} />
        )}
        <References chat={chat} references={references} />
        {isOpen.value && (
          <CallRecord client={state.client} message={message} part={part} show={show} />
        )}
      </details>
      <Asked chat={chat} message={message} part={part} />
    </fieldset>
  )
}
