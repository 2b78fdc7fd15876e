import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useId, useRef } from 'preact/hooks'
import type { Chat } from '../chat/index.ts'
import { focusMessage } from '../controls/index.ts'
import { unhidden } from '../message/index.ts'
import { t } from '../words/index.ts'
import { answerFor } from './answers.ts'
import type { JsonSchema } from './questions.ts'

// Few tools ask for more than a text.
const SchemaForm = lazy(async () => (await import('../forms/index.ts')).SchemaForm)

interface QuestionProps {
  readonly chat: Chat
  /** A call that asks, or an approval. */
  readonly id: string
  /** Its hidden characters are visible. */
  readonly question: string
  /** The answers to choose from. Without any, the person writes one. */
  readonly choices: readonly string[]
  /** The JSON Schema of an answer that is filled in. */
  readonly schema: JsonSchema | undefined
  readonly onAnswer: (answer: unknown) => void
  readonly onDecline: () => void
}

/** A question: its choices, a form or a field for the answer, and the button that declines. */
export function Question(props: QuestionProps) {
  const box = useRef<HTMLFieldSetElement>(null)
  /** The focus goes where the pressed button was. */
  const after = (act: () => void) => {
    if (box.current) focusMessage({ currentTarget: box.current })
    act()
  }
  const given = {
    ...props,
    onAnswer: (answer: unknown) => after(() => props.onAnswer(answer)),
    onDecline: () => after(props.onDecline),
  }
  const { choices, question, schema } = props
  return (
    <fieldset ref={box} class="asked" aria-label={question}>
      <p>{question}</p>
      {choices.length > 0 && <Choices {...given} />}
      {choices.length === 0 && schema && <Form {...given} schema={schema} />}
      {choices.length === 0 && !schema && <Words {...given} />}
    </fieldset>
  )
}

function Choices({ choices, onAnswer, onDecline }: QuestionProps) {
  return (
    <>
      <div class="choices">
        {choices.map((choice) => (
          <button key={choice} type="button" onClick={() => onAnswer(choice)}>
            {unhidden(choice)}
          </button>
        ))}
      </div>
      <Decline onDecline={onDecline} />
    </>
  )
}

/** An answer that is written. */
function Words({ chat, id, onAnswer, onDecline }: QuestionProps) {
  const given = answerFor(chat, id)
  const text = typeof given.value === 'string' ? given.value : ''
  const field = useRef<HTMLInputElement>(null)
  const isMissed = useSignal(false)
  const faultId = useId()
  const send = (event: TargetedEvent<Element>) => {
    event.preventDefault()
    if (text.trim()) return onAnswer(text.trim())
    isMissed.value = true
    field.current?.focus()
  }
  const isWrong = isMissed.value && text.trim() === ''
  return (
    <form onSubmit={send}>
      <input
        ref={field}
        dir="auto"
        {...(isWrong ? { 'aria-invalid': true, 'aria-describedby': faultId } : {})}
        aria-label={t('answerField')}
        placeholder={t('answerHint')}
        value={text}
        onInput={(event) => (given.value = event.currentTarget.value)}
      />
      {isWrong && (
        <p class="missed" id={faultId} role="alert">
          {t('faultMissing')}
        </p>
      )}
      <Buttons onDecline={onDecline} />
    </form>
  )
}

/** An answer that is filled in. An empty field is null where the schema allows that. */
function Form({ chat, id, schema, onAnswer, onDecline }: QuestionProps & WithSchema) {
  const given = answerFor(chat, id)
  const nothing = isNullable(schema) ? null : undefined
  return (
    <Suspense fallback={null}>
      <SchemaForm
        prefix={id}
        schema={schema}
        uiSchema={layoutOf(schema)}
        data={given.value}
        onChange={(data) => (given.value = data)}
        onSubmit={(data) => onAnswer(data ?? nothing)}
      >
        <Buttons onDecline={onDecline} />
      </SchemaForm>
    </Suspense>
  )
}

interface WithSchema {
  readonly schema: JsonSchema
}

/** Values in a single field have no title of their own, and one of two is chosen: an unchecked box would be none yet. */
function layoutOf({ type, title }: JsonSchema): JsonSchema {
  return {
    ...(type === 'object' || title !== undefined ? {} : { 'ui:title': t('answerField') }),
    ...(type === 'boolean' ? { 'ui:widget': 'radio' } : {}),
  }
}

function isNullable({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null')
}

interface DeclineProps {
  readonly onDecline: () => void
}

function Buttons({ onDecline }: DeclineProps) {
  return (
    <>
      <button type="submit" class="main">
        {t('answer')}
      </button>
      <Decline onDecline={onDecline} />
    </>
  )
}

function Decline({ onDecline }: DeclineProps) {
  return (
    <button type="button" class="decline" onClick={onDecline}>
      {t('decline')}
    </button>
  )
}
