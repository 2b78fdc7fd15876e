import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Chat } from '../chat/index.ts'
import { t } from '../words/index.ts'
import { Attached } from './attached.tsx'
import { type Draft, type DraftProps, draftOf } from './draft.ts'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

/** Where a person writes. */
export function Composer(props: DraftProps) {
  const draft = useMemo(() => draftOf(props), [props.chat])
  const submit = (event: Event) => {
    event.preventDefault()
    void draft.send()
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void draft.attach(event.dataTransfer?.files ?? [])
  }
  return (
    <form
      class="composer"
      onSubmit={submit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <Attached draft={draft} />
      <Text draft={draft} />
      <Tools chat={props.chat} draft={draft} />
    </form>
  )
}

function Tools({ chat, draft }: { readonly chat: Chat; readonly draft: Draft }) {
  const isBusy = chat.isBusy.value
  const stop = () => void chat.stop()
  const name = t(isBusy ? 'steer' : 'send')
  return (
    <div class="tools">
      <AttachButton isOff={isBusy} draft={draft} />
      {isBusy && <IconButton icon="stop" name={t('stop')} isRound onClick={stop} />}
      <button
        type="submit"
        class="icon round main"
        aria-label={name}
        title={name}
        disabled={draft.isEmpty}
      >
        <Icon name="send" />
      </button>
    </div>
  )
}

/** Enter sends, Shift and Enter begins a line. Files may be pasted. */
function Text({ draft }: { readonly draft: Draft }) {
  const text = draft.text.value
  const box = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (!box.current) return
    const { style } = box.current
    style.height = 'auto'
    style.height = `${box.current.scrollHeight}px`
  }, [text])
  return (
    <textarea
      ref={box}
      rows={1}
      autofocus
      aria-label={t('message')}
      placeholder={t('messageHint')}
      value={text}
      onInput={(event) => draft.write(event.currentTarget.value)}
      onKeyDown={(event) => {
        // Enter also ends the choice of a character in some languages.
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
        event.preventDefault()
        void draft.send()
      }}
      onPaste={(event) => {
        const files = [...(event.clipboardData?.files ?? [])]
        if (files.length > 0) void draft.attach(files)
        else if (!draft.paste(event.clipboardData?.getData('text/plain') ?? '')) return
        event.preventDefault()
      }}
    />
  )
}

interface AttachButtonProps {
  readonly isOff: boolean
  readonly draft: Draft
}

function AttachButton({ isOff, draft }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('attach')}
        onChange={(event) => {
          void draft.attach([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <IconButton
        icon="attach"
        name={t('attach')}
        isOff={isOff}
        isRound
        onClick={() => input.current?.click()}
      />
    </>
  )
}
