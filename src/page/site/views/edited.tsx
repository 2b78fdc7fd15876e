import type { Chat, PageState } from '../chat/index.ts'
import { useFocus } from '../controls/index.ts'
import { FileView } from '../files/index.ts'
import { textOf, type UiMessage } from '../message/index.ts'
import { t } from '../words/index.ts'
import type { EditDraft } from './edit-draft.ts'

interface EditedProps {
  readonly state: PageState
  readonly chat: Chat
  readonly message: UiMessage
  readonly draft: EditDraft
}

/** A message that is changed. What the server does not take can be changed on. */
export function Edited({ state, chat, message, draft }: EditedProps) {
  const { text, write } = draft
  const leave = () => {
    if (text.value === textOf(message) || confirm(t('discardAsk'))) write(undefined)
  }
  const field = useFocus<HTMLTextAreaElement>(!draft.isKept.value)
  const save = async (event: Event) => {
    event.preventDefault()
    const { value = '' } = text
    write(undefined)
    if (!value.trim() || value === textOf(message)) return
    if (!(await chat.edit(message, value))) write(value)
  }
  return (
    <form class="edited" onSubmit={(event) => void save(event)}>
      {message.parts.map(
        (part, at) =>
          part.type === 'file' && <FileView key={`${at}`} client={state.client} file={part} />,
      )}
      <textarea
        ref={field}
        aria-label={t('message')}
        value={text.value}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return
          if (event.key === 'Escape') leave()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.currentTarget.form?.requestSubmit()
          }
        }}
      />
      <button type="submit" class="main" disabled={chat.isBusy.value}>
        {t('send')}
      </button>
      <button type="button" onClick={leave}>
        {t('cancel')}
      </button>
    </form>
  )
}
