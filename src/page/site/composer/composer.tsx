import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Chat } from '../chat/index.ts'
import { focusComposer, Icon, IconButton, type Press } from '../controls/index.ts'
import { t } from '../words/index.ts'
import { Attached } from './attached.tsx'
import { type Draft, type DraftProps, draftOf } from './draft.ts'

/** Where a person writes. */
export function Composer(props: DraftProps) {
  const draft = useMemo(() => draftOf(props), [props.chat])
  const submit = (event: Event) => {
    event.preventDefault()
    focusComposer()
    void draft.send()
  }
  useDropped(draft)
  const drop = (event: DragEvent) => {
    const { dataTransfer: given, target } = event
    if (!given) return
    const isTaken = draft.take(given)
    // A short text goes where it is dropped in the box.
    if (!isTaken && target instanceof HTMLTextAreaElement) return
    event.preventDefault()
    if (!isTaken) draft.write(draft.text.value + given.getData('text/plain'))
  }
  return (
    <form
      class="composer"
      onSubmit={submit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <Attached draft={draft} />
      <Text chat={props.chat} draft={draft} />
      <Tools chat={props.chat} draft={draft} />
    </form>
  )
}

/** Takes files that are dropped anywhere in the page. A browser would leave the page and open them. */
function useDropped(draft: Draft): void {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      const { dataTransfer: given, defaultPrevented } = event
      if (defaultPrevented || !given || given.files.length === 0) return
      event.preventDefault()
      draft.take(given)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [draft])
}

interface PartProps {
  readonly chat: Chat
  readonly draft: Draft
}

/** While an answer comes and nothing is written, the button that stops it is in the place of the one that sends. */
function Tools({ chat, draft }: PartProps) {
  const isBusy = chat.isBusy.value
  const hasSend = !isBusy || !draft.isEmpty
  const stop = ({ detail = 0 }: Press) => {
    // The second click of two on the button that sends.
    if (detail > 1) return
    focusComposer()
    void chat.stop()
  }
  const name = t(isBusy ? 'steer' : 'send')
  return (
    <div class="tools">
      <AttachButton isOff={isBusy} draft={draft} />
      {isBusy && (
        <IconButton icon="stop" name={t('stop')} isRound isMain={!hasSend} onClick={stop} />
      )}
      {hasSend && (
        <button
          type="submit"
          class="icon round main"
          aria-label={name}
          title={name}
          disabled={draft.isEmpty}
        >
          <Icon name="send" />
        </button>
      )}
    </div>
  )
}

/**
 * Enter sends, Shift and Enter begins a line, and Escape in the empty box stops the answer that comes. Files and long
 * texts that are pasted are attached.
 */
function Text({ chat, draft }: PartProps) {
  const text = draft.text.value
  const box = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    // Of a chat that another one has taken the place of, nothing has the focus any more.
    if (document.activeElement === document.body) box.current?.focus()
  }, [])
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
      dir="auto"
      aria-label={t('message')}
      placeholder={t('messageHint')}
      value={text}
      onInput={(event) => draft.write(event.currentTarget.value)}
      onKeyDown={(event) => {
        // Keys also choose characters in some languages.
        if (event.isComposing) return
        if (event.key === 'Escape' && text === '' && chat.isBusy.value) void chat.stop()
        if (event.key !== 'Enter' || event.shiftKey) return
        event.preventDefault()
        void draft.send()
      }}
      onPaste={(event) => {
        if (event.clipboardData && draft.take(event.clipboardData)) event.preventDefault()
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
