import type { Signal } from '@preact/signals'
import type { Chat } from '../chat/index.ts'
import { useFocus } from '../controls/index.ts'
import { textOf, type UiMessage } from '../message/index.ts'
import { t } from '../words/index.ts'

interface EditedProps {
  readonly chat: Chat
  readonly message: UiMessage
  readonly text: Signal<string | undefined>
}

/** A message that is changed. What the server does not take can be changed on. */
export function Edited({ chat, message, text }: EditedProps) {
  const onEnd = () => (text.value = undefined)
  const leave = () => {
    if (text.value === textOf(message) || confirm(t('discardAsk'))) onEnd()
  }
  const field = useFocus<HTMLTextAreaElement>()
  const save = async (event: Event) => {
    event.preventDefault()
    const { value = '' } = text
    onEnd()
    if (!value.trim() || value === textOf(message)) return
    if (!(await chat.edit(message, value))) text.value = value
  }
  return (
    <form class="edited" onSubmit={(event) => void save(event)}>
      <textarea
        ref={field}
        aria-label={t('message')}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return
          if (event.key === 'Escape') leave()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.currentTarget.form?.requestSubmit()
          }
        }}
      />
      <button type="submit" class="main">
        {t('send')}
      </button>
      <button type="button" onClick={leave}>
        {t('cancel')}
      </button>
    </form>
  )
}
