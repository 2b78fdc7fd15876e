import type { CallOutcome, Chat } from '../chat/index.ts'
import { focusMessage, type Press } from '../controls/index.ts'
import { type ToolPart, toolNameOf, type UiMessage } from '../message/index.ts'
import { t } from '../words/index.ts'
import { Question } from './question.tsx'
import {
  type Asking,
  answerSchemaOf,
  askingIn,
  asksPermission,
  choicesIn,
  DECLINED,
  questionOf,
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
        isOff={chat.isBusy.value}
        onVerdict={(approved) => void chat.answer(approval.id, { approved })}
      />
    </fieldset>
  )
}

interface VerdictProps {
  readonly isOff: boolean
  readonly onVerdict: (isAllowed: boolean) => void
}

/** The buttons that allow a call and deny it. */
function Verdict({ isOff, onVerdict }: VerdictProps) {
  const say = (isAllowed: boolean) => (press: Press) => {
    focusMessage(press)
    onVerdict(isAllowed)
  }
  return (
    <>
      <button type="button" class="main" disabled={isOff} onClick={say(true)}>
        {t('allow')}
      </button>
      <button type="button" disabled={isOff} onClick={say(false)}>
        {t('deny')}
      </button>
    </>
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
  if (asksPermission(schema)) {
    const answer = (approve: boolean) => void chat.answer(approvalId, { answer: { approve } })
    return (
      <fieldset class="asked" aria-label={question}>
        <p>{question}</p>
        <Verdict isOff={false} onVerdict={answer} />
      </fieldset>
    )
  }
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
