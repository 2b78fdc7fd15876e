import { type Signal, signal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Chat, PageState } from '../chat/index.ts'
import type { FilePart } from '../message/index.ts'
import { t } from '../words/index.ts'
import { Icon } from './icon.tsx'

interface ComposerProps {
  readonly state: PageState
  readonly chat: Chat
}

/** What a person writes. It stays until the server has it, also over a reload. */
class Draft {
  readonly text: Signal<string>
  readonly files = signal<readonly FilePart[]>([])
  readonly #props: ComposerProps

  constructor(props: ComposerProps) {
    this.#props = props
    this.text = signal(props.state.drafts.get(this.#key) ?? '')
  }

  get isEmpty(): boolean {
    const { isBusy } = this.#props.chat
    return this.text.value.trim() === '' && (isBusy.value || this.files.value.length === 0)
  }

  write(text: string): void {
    this.text.value = text
    this.#props.state.drafts.set(this.#key, text)
  }

  /** Sends it, or says it to the answer that comes. What the server does not take is there again. */
  async send(): Promise<void> {
    if (this.isEmpty) return
    const { chat } = this.#props
    const said = this.text.value.trim()
    const files = chat.isBusy.value ? [] : this.files.value
    this.write('')
    this.files.value = this.files.value.filter((file) => !files.includes(file))
    const isTaken = await (chat.isBusy.value ? chat.steer(said) : chat.send(said, files))
    if (isTaken) return
    this.write([said, this.text.value].filter(Boolean).join('\n'))
    this.files.value = [...files, ...this.files.value]
  }

  /** Uploads files to the chat. */
  async attach(given: Iterable<File>): Promise<void> {
    const { chat } = this.#props
    for (const file of given) {
      const part = await chat.upload(file)
      if (part) this.files.value = [...this.files.value, part]
    }
  }

  get #key(): string {
    return `draft.${this.#props.chat.id}`
  }
}

/** A chat's draft stays with it, also while the page asks for a token. */
const drafts = new WeakMap<Chat, Draft>()

function draftOf(props: ComposerProps): Draft {
  const draft = drafts.get(props.chat) ?? new Draft(props)
  drafts.set(props.chat, draft)
  return draft
}

/** Where a person writes. */
export function Composer(props: ComposerProps) {
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
      <Attached files={draft.files} />
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
      {isBusy && (
        <button
          type="button"
          class="icon round"
          aria-label={t('stop')}
          title={t('stop')}
          onClick={stop}
        >
          <Icon name="stop" />
        </button>
      )}
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
        if (files.length === 0) return
        event.preventDefault()
        void draft.attach(files)
      }}
    />
  )
}

function Attached({ files }: { readonly files: Signal<readonly FilePart[]> }) {
  if (files.value.length === 0) return null
  return (
    <ul class="attached">
      {files.value.map((file) => (
        <li key={file.url}>
          {file.filename}
          <button
            type="button"
            class="icon"
            aria-label={t('remove', { name: file.filename ?? '' })}
            onClick={() => (files.value = files.value.filter((one) => one !== file))}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
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
      <button
        type="button"
        class="icon round"
        aria-label={t('attach')}
        title={t('attach')}
        disabled={isOff}
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  )
}
