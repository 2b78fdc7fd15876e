import type { TargetedEvent } from 'preact'
import type { CallOutcome, Chat } from '../chat/index.ts'
import { focusMessage, type Press } from '../controls/index.ts'
import { type ToolPart, toolNameOf, type UiMessage } from '../message/index.ts'
import { t } from '../words/index.ts'
import { answerFor } from './answers.ts'
import { Question } from './question.tsx'
import {
  type Asking,
  answerSchemaOf,
  askingIn,
  asksPermission,
  choicesIn,
  DECLINED,
  questionOf,
  takesReason,
} from './questions.ts'
import { Value } from './value.tsx'

interface AskedProps {
  readonly chat: Chat
  readonly message: UiMessage
  readonly part: ToolPart
}

/** What a call waits for: a person's permission, or an answer. */
export function Asked(props: AskedProps) {
  const { chat, message, part } = props
  if (part.state === 'approval-requested') return <Approval chat={chat} part={part} />
  if (chat.isBusy.value) return null
  const asking = askingIn(message, part)
  if (asking) return <AskedInside chat={chat} asking={asking} />
  return questionOf(part) === undefined ? null : <AskedByCall {...props} />
}

function Approval({ chat, part }: { readonly chat: Chat; readonly part: ToolPart }) {
  const { approval } = part
  if (!approval) return null
  return (
    <fieldset class="asked">
      <legend>{t('mayRun', { tool: toolNameOf(part) })}</legend>
      <Value name={t('input')} value={part.input} isWhole />
      <Verdict
        chat={chat}
        id={approval.id}
        takesReason
        onVerdict={(said) => void chat.answer(approval.id, said)}
      />
    </fieldset>
  )
}

/** Whether a call may run, as the server takes it. */
interface Said {
  readonly approved: boolean
  readonly reason?: string
}

interface VerdictProps {
  readonly chat: Chat
  /** The approval. */
  readonly id: string
  /** Whether the person may say why they deny it. */
  readonly takesReason?: boolean
  readonly onVerdict: (said: Said) => void
}

/** The buttons that allow a call and deny it, for a reason that the person may give. */
function Verdict({ chat, id, takesReason: isReasoned = false, onVerdict }: VerdictProps) {
  const isOff = chat.isBusy.value
  const given = answerFor(chat, id)
  const text = typeof given.value === 'string' ? given.value : ''
  const allow = (press: Press) => {
    focusMessage(press)
    onVerdict({ approved: true })
  }
  const deny = (event: TargetedEvent<Element>) => {
    event.preventDefault()
    focusMessage(event)
    const reason = text.trim()
    onVerdict({ approved: false, ...(reason ? { reason } : {}) })
  }
  return (
    <form class="verdict" onSubmit={deny}>
      <button type="button" class="main" disabled={isOff} onClick={allow}>
        {t('allow')}
      </button>
      <button type="submit" disabled={isOff}>
        {t('deny')}
      </button>
      {isReasoned && (
        <input
          dir="auto"
          aria-label={t('denyReason')}
          placeholder={t('denyReason')}
          value={text}
          onInput={(event) => (given.value = event.currentTarget.value)}
        />
      )}
    </form>
  )
}

/** The question that a call is. */
function AskedByCall({ chat, message, part }: AskedProps) {
  const { options } = Object(part.input) as { readonly options?: unknown }
  const choices = Array.isArray(options) ? options.filter((one) => typeof one === 'string') : []
  const answer = (outcome: CallOutcome) =>
    void chat.answerCall(message, { toolCallId: part.toolCallId, ...outcome })
  return (
    <Question
      chat={chat}
      id={part.toolCallId}
      question={questionOf(part) ?? ''}
      choices={choices}
      schema={answerSchemaOf(part)}
      onAnswer={(output) => answer({ state: 'output-available', output })}
      onDecline={() => answer({ state: 'output-error', errorText: DECLINED })}
    />
  )
}

/** The question of a call that asks in the middle of its work. */
function AskedInside({ chat, asking }: { readonly chat: Chat; readonly asking: Asking }) {
  const { approvalId, question, schema } = asking
  if (asksPermission(schema)) return <AskedForCall chat={chat} asking={asking} />
  return (
    <Question
      chat={chat}
      id={approvalId}
      question={question}
      choices={choicesIn(schema)}
      schema={schema}
      onAnswer={(answer) => void chat.answer(approvalId, { answer })}
      onDecline={() => void chat.answer(approvalId, { approved: false })}
    />
  )
}

/** The call of an agent that a call has asked, which a person must allow. */
function AskedForCall({ chat, asking }: { readonly chat: Chat; readonly asking: Asking }) {
  const { approvalId, question, call } = asking
  const answer = ({ approved: approve, ...said }: Said) =>
    void chat.answer(approvalId, { answer: { approve, ...said } })
  return (
    <fieldset class="asked" aria-label={call ? undefined : question}>
      {call ? (
        <legend>{t('mayRunFor', { tool: call.name, agent: call.agent })}</legend>
      ) : (
        <p>{question}</p>
      )}
      {call && <Value name={t('input')} value={call.input} isWhole />}
      <Verdict
        chat={chat}
        id={approvalId}
        takesReason={takesReason(asking.schema)}
        onVerdict={answer}
      />
    </fieldset>
  )
}
