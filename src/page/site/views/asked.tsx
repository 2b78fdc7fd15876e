import type { TargetedEvent } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useRef } from 'preact/hooks'
import type { Chat } from '../chat/index.ts'
import { type ToolPart, toolNameOf, type UiMessage } from '../message/index.ts'
import { t } from '../words/index.ts'
import { answerFor } from './answers.ts'
import { focusMessage, type Press } from './focus.ts'
import { type Asking, askingIn, questionOf } from './questions.ts'
import { Value } from './value.tsx'

// Few tools ask for more than a text.
const SchemaForm = lazy(async () => (await import('../forms/index.ts')).SchemaForm)

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
  if (asking) return <Form chat={chat} asking={asking} />
  return questionOf(part) === undefined ? null : <Question {...props} />
}

function Approval({ chat, part }: { readonly chat: Chat; readonly part: ToolPart }) {
  const { approval } = part
  if (!approval) return null
  const answer = (approved: boolean) => (press: Press) => {
    focusMessage(press)
    void chat.answer(approval.id, { approved })
  }
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

function Question({ chat, message, part }: AskedProps) {
  const given = answerFor(chat, part.toolCallId)
  const text = typeof given.value === 'string' ? given.value : ''
  const { options } = Object(part.input) as { readonly options?: unknown }
  const choices = Array.isArray(options) ? options.filter((one) => typeof one === 'string') : []
  const answer = (output: string, press: Press) => {
    focusMessage(press)
    void chat.answerCall(message, part.toolCallId, output)
  }
  const send = (event: TargetedEvent<Element>) => {
    event.preventDefault()
    if (text.trim()) answer(text.trim(), event)
  }
  return (
    <form class="asked" onSubmit={send}>
      <p>{questionOf(part)}</p>
      {choices.length > 0 && (
        <div class="choices">
          {choices.map((choice) => (
            <button key={choice} type="button" onClick={(press) => answer(choice, press)}>
              {choice}
            </button>
          ))}
        </div>
      )}
      <input
        aria-label={t('answer')}
        placeholder={t('answerHint')}
        value={text}
        onInput={(event) => (given.value = event.currentTarget.value)}
      />
      <button type="submit" class="main">
        {t('answer')}
      </button>
    </form>
  )
}

/** The question of a call that asks in the middle of its work, as a form for the answer that it wants. */
function Form({ chat, asking }: { readonly chat: Chat; readonly asking: Asking }) {
  const { approvalId, question, schema } = asking
  const data = answerFor(chat, approvalId)
  const section = useRef<HTMLElement>(null)
  const answer = (given: unknown) => {
    if (section.current) focusMessage({ currentTarget: section.current })
    void chat.answer(approvalId, { answer: given })
  }
  return (
    <section ref={section} class="asked" aria-label={question}>
      <p>{question}</p>
      <Suspense fallback={null}>
        <SchemaForm
          prefix={approvalId}
          schema={schema}
          data={data.value}
          onChange={(given) => (data.value = given)}
          onSubmit={answer}
        >
          <button type="submit" class="main">
            {t('answer')}
          </button>
        </SchemaForm>
      </Suspense>
    </section>
  )
}
