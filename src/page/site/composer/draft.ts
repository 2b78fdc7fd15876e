import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Chat, namedChat, type PageState } from '../chat/index.ts'
import type { FilePart } from '../message/index.ts'
import { type Conversation, ServerError } from '../server/index.ts'

export interface DraftProps {
  readonly state: PageState
  readonly chat: Chat
}

/** A browser takes seconds to put a text of more characters than this into a box, and to draw it. */
const LONGEST_IN_BOX = 200_000

/** The draft of a new chat is kept under this name: the id of the chat is another one after a reload. */
const NEW = 'new'

/** What a person writes. It stays until the server has it, also over a reload. */
export class Draft {
  readonly text: Signal<string>
  readonly files: Signal<readonly FilePart[]>
  /** The names of files that are on their way to the server. */
  readonly uploading = signal<readonly string[]>([])
  /** Why the server has not taken files that were attached last. */
  readonly refused = signal<readonly ServerError[]>([])
  /** Pasted and dropped texts that are too long for the box. They come before the text. */
  readonly pasted = signal<readonly string[]>([])
  readonly #props: DraftProps
  /** The conversation that it is kept for. */
  #place: string

  constructor(props: DraftProps) {
    this.#props = props
    const { chat } = props
    this.#place = chat.isStored.value || namedChat() === chat.id ? chat.id : NEW
    const { drafts: kept } = props.state
    this.text = signal(kept.get(this.#key) ?? '')
    this.files = signal(filesIn(kept.get(this.#filesKey)))
    void kept.owned.then(() => {
      this.text.value ||= kept.get(this.#key) ?? ''
      if (this.files.value.length === 0) this.files.value = filesIn(kept.get(this.#filesKey))
    })
    chat.isStored.subscribe((isStored) => isStored && this.#move(chat.id))
    const { left } = chat.steered
    left.subscribe((texts) => {
      if (texts.length === 0) return
      left.value = []
      this.write([...texts, this.text.value].filter(Boolean).join('\n'))
    })
  }

  /** Whether there is nothing that may be sent now. A message waits for its files. */
  get isEmpty(): boolean {
    const { isBusy } = this.#props.chat
    if (!isBusy.value && this.uploading.value.length > 0) return true
    if (this.text.value.trim() !== '' || this.pasted.value.length > 0) return false
    return isBusy.value || this.files.value.length === 0
  }

  write(text: string): void {
    this.text.value = text
    this.#keepText()
  }

  /** Attaches files that the server has, in place of those that were attached. */
  hold(files: readonly FilePart[]): void {
    this.files.value = files
    this.#keepFiles()
  }

  /** Takes what was pasted or dropped: files, or a text that is too long for the box. @returns whether it was either */
  take(given: DataTransfer): boolean {
    const files = [...given.files]
    const text = given.getData('text/plain')
    const isLong = text.length > LONGEST_IN_BOX
    if (files.length > 0) void this.attach(files)
    else if (isLong) this.pasted.value = [...this.pasted.value, text]
    return files.length > 0 || isLong
  }

  /**
   * Sends it, or says it to the answer that comes. Until the conversation is read, it waits: it comes after what the
   * server has. What the server does not take is there again.
   */
  async send(): Promise<void> {
    const { chat } = this.#props
    if (!chat.isRead.value) await whenTrue(chat.isRead)
    if (this.isEmpty) return
    const written = this.text.value.trim()
    const pasted = this.pasted.value
    const files = chat.isBusy.value ? [] : this.files.value
    const said = [...pasted, written].filter(Boolean).join('\n')
    this.write('')
    this.pasted.value = []
    this.hold(this.files.value.filter((file) => !files.includes(file)))
    this.refused.value = []
    const isTaken = await (chat.isBusy.value ? chat.steered.say(said) : chat.send(said, files))
    if (isTaken) return
    this.write([written, this.text.value].filter(Boolean).join('\n'))
    this.pasted.value = [...pasted, ...this.pasted.value]
    this.hold([...files, ...this.files.value])
  }

  /** Uploads files to the chat. */
  async attach(given: Iterable<File>): Promise<void> {
    const files = [...given]
    this.refused.value = []
    this.uploading.value = [...this.uploading.value, ...files.map(({ name }) => name)]
    for (const file of files) {
      await this.#upload(file)
      const at = this.uploading.value.indexOf(file.name)
      this.uploading.value = this.uploading.value.toSpliced(at, 1)
    }
  }

  async #upload(file: File): Promise<void> {
    const { state, chat } = this.#props
    try {
      await state.ensure(chat)
      const part = await chat.upload(file)
      this.hold([...this.files.value, part])
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      this.refused.value = [...this.refused.value, thrown]
    }
  }

  /** The chat has got its conversation, to which its draft belongs from now on. */
  #move(place: string): void {
    if (place === this.#place) return
    const { drafts: kept } = this.#props.state
    kept.set(this.#key, undefined)
    kept.set(this.#filesKey, undefined)
    this.#place = place
    this.#keepText()
    this.#keepFiles()
  }

  #keepText(): void {
    this.#props.state.drafts.set(this.#key, this.text.value)
  }

  #keepFiles(): void {
    const files = this.files.value
    const text = files.length > 0 ? JSON.stringify(files) : undefined
    this.#props.state.drafts.set(this.#filesKey, text)
  }

  get #key(): string {
    return `draft.${this.#place}`
  }

  get #filesKey(): string {
    return `files.${this.#place}`
  }
}

/** The names of the files that are attached to what a person writes in a conversation. */
function attachedTo(id: string, { drafts }: PageState): string {
  return filesIn(drafts.get(`files.${id}`))
    .flatMap(({ filename }) => filename ?? [])
    .join(', ')
}

/** What stands for the title of a conversation without one: the files, or the words, that a person has begun to write. */
export function begunIn(id: string, state: PageState): string {
  const [line = ''] = (state.drafts.get(`draft.${id}`) ?? '').trimStart().slice(0, 100).split('\n')
  return line || attachedTo(id, state)
}

/** Whether a conversation has something: what was said, a title, or what a person has begun to write. */
export function hasContent({ id, head, title }: Conversation, state: PageState): boolean {
  if (head !== undefined || title !== undefined || id === state.chat.value.id) return true
  return begunIn(id, state) !== ''
}

/** What a text of the browser's storage says, which others may have written. */
function filesIn(text: string | undefined): readonly FilePart[] {
  try {
    const files: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(files) ? files.filter(isFile) : []
  } catch {
    return []
  }
}

function isFile(value: unknown): value is FilePart {
  const { type, url, mediaType, filename } = Object(value) as Partial<Record<string, unknown>>
  return type === 'file' && [url, mediaType, filename].every((one) => typeof one === 'string')
}

function whenTrue(flag: ReadonlySignal<boolean>): Promise<void> {
  return new Promise((resolve) => {
    const leave = flag.subscribe((isTrue) => {
      if (!isTrue) return
      resolve()
      // Not before `subscribe` has returned.
      queueMicrotask(() => leave())
    })
  })
}

/** A chat's draft stays with it, also while the page asks for a token. */
const drafts = new WeakMap<Chat, Draft>()

export function draftOf(props: DraftProps): Draft {
  const draft = drafts.get(props.chat) ?? new Draft(props)
  drafts.set(props.chat, draft)
  return draft
}
