import { signal } from '@preact/signals'
import type { UiMessage } from '../message/index.ts'
import { Client, type Place, ServerError } from '../server/index.ts'
import { callerOf, callerWith } from './caller.ts'
import { Chat } from './chat.ts'
import { ConversationList } from './conversation-list.ts'
import { firstWordsOf } from './first-words.ts'
import { Kept } from './kept.ts'
import { LeftChats } from './left-chats.ts'
import { modelsOf } from './models.ts'
import { namedChat } from './named-chat.ts'
import { type AskOther, type Offered, offeredAt } from './offered.ts'
import { otherTabs } from './other-tabs.ts'
import { Session } from './session.ts'
import type { Sought } from './sought.ts'
import { isOffline, untilReached } from './until-reached.ts'

const CHOSEN = 'agent'
/** The page asks until the server is there again. */
const NEVER = new AbortController().signal
const BASE = new URL('.', location.href)

/** The state of the whole page. */
export class PageState {
  readonly #askOther: AskOther
  readonly session = new Session()
  readonly client = new Client(
    BASE,
    () => this.session.token,
    () => (this.session.isAsked.value = true),
  )
  readonly list = new ConversationList(this.client)
  readonly drafts = new Kept(
    () => localStorage,
    () => this.session.person,
  )
  /** The models and agents that may be chosen: their titles by their names. */
  readonly agents = signal<ReadonlyMap<string, string>>(new Map())
  readonly chat = signal<Chat>(this.#newChat())
  /** Whether the person may see and change what only admins may. */
  readonly isAdmin = signal(false)
  /** The message that a search found and the person wants to see. */
  readonly sought = signal<Sought | undefined>(undefined)
  /** The answer that a drawer tells more of. */
  readonly detailed = signal<UiMessage | undefined>(undefined)
  /** Why the conversations or the models cannot be shown. */
  readonly fault = signal<ServerError | undefined>(undefined)
  #isWaiting = false
  /** Other chats whose answers come. */
  readonly left = new LeftChats()
  readonly #tabs = otherTabs(BASE, {
    onSignedOut: (person) => {
      if (person === this.session.person) this.#leave()
    },
    onChanged: (id) => {
      if (id === this.chat.value.id) this.#look()
    },
  })

  constructor(askOther: AskOther) {
    this.#askOther = askOther
  }

  /** Reads what the page shows first, and the conversation that the address names. */
  async start(): Promise<void> {
    addEventListener('popstate', () => {
      // A fragment that was typed leads to no other chat.
      if (location.hash === '') this.#openNamed()
    })
    addEventListener('hashchange', () => void this.#signInByAddress())
    document.addEventListener('visibilitychange', () => this.#look())
    addEventListener('focus', () => this.#look())
    if (await this.#signInByAddress(location.search)) return
    this.#openNamed()
    await this.load()
  }

  /** Reads the models and the conversations. */
  async load(): Promise<void> {
    await this.guarded(() => this.#read())
  }

  /** Opens a conversation, at one of its messages if one is named, or begins a new one. */
  open(id?: string, messageId?: string): void {
    this.sought.value = id && messageId ? { conversationId: id, messageId } : undefined
    const place = id === undefined ? location.pathname : `?chat=${encodeURIComponent(id)}`
    history.pushState(null, '', place)
    this.#show(id)
  }

  /** Continues in a new conversation after a message of this one, which has the given title, or the same one. */
  async branch(messageId: string, title?: string): Promise<void> {
    await this.guarded(async () => {
      this.open(await this.list.branch(this.chat.value.id, messageId, title))
      await this.list.load()
    })
  }

  /** Chooses what answers the next message, and new chats from now on. */
  choose(agent: string): void {
    this.chat.value.choose(agent)
    this.drafts.set(CHOSEN, agent)
  }

  /** Gives a chat a conversation on the server, which the address and the list then have. @throws {ServerError} */
  async ensure(chat: Chat = this.chat.value): Promise<Place> {
    const isNew = !chat.isStored.value
    const place = await chat.ensure()
    if (isNew) {
      this.#nameAddress(chat)
      void this.guarded(() => this.list.load())
    }
    return place
  }

  /**
   * Signs in who has a token, once the server has said who that is. If the page shows things of somebody else, it is
   * read anew.
   * @throws {ServerError} where the server does not know the token
   */
  async signIn(token: string): Promise<void> {
    const { id } = await callerWith(BASE, token, () => undefined)
    this.#become({ token, id })
  }

  #become({ token, id }: Offered, query = ''): boolean {
    if (!this.session.signIn(token, id)) {
      location.replace(location.pathname + query)
      return true
    }
    void this.load()
    const chat = this.chat.value
    if (chat.id !== namedChat()) chat.fault.value = undefined
    // What the server refused to show, and an answer that it refused to go on with.
    else if (chat.fault.value) void chat.open()
    return false
  }

  /** Signs the person out in all tabs of the browser. Nothing of theirs is shown or kept. */
  signOut(): void {
    this.#tabs.signedOut(this.session.person)
    this.#leave()
  }

  /** Does something whose failure the page tells. */
  async guarded(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
      this.fault.value = undefined
    } catch (error) {
      if (!(error instanceof ServerError)) throw error
      this.#tell(error)
    }
  }

  /** Deletes a conversation, whose answer is read no more. @throws {ServerError} */
  async remove(id: string): Promise<void> {
    this.left.back(id)?.close()
    await this.list.remove(id)
  }

  /** Shows what another tab has sent, if somebody sees this one. */
  #look(): void {
    if (document.visibilityState === 'visible') void this.chat.value.refresh()
  }

  /** The page is read anew, so that nothing of the person is left in it. */
  #leave(): void {
    this.drafts.forget()
    this.session.signOut()
    location.replace(location.pathname)
  }

  /**
   * Signs in who has the token in the address, unless somebody else is signed in and stays.
   * @returns whether the page is read anew
   */
  async #signInByAddress(query = ''): Promise<boolean> {
    let isAnew = false
    await this.guarded(async () => {
      const offered = await offeredAt(BASE, this.session, this.#askOther)
      isAnew = offered !== undefined && this.#become(offered, query)
    })
    return isAnew
  }

  async #read(): Promise<void> {
    await Promise.all([this.#readModels(), this.#readCaller(), this.list.load()])
  }

  async #readModels(): Promise<void> {
    this.agents.value = await modelsOf(this.client)
    const { agent } = this.chat.value
    agent.value ??= this.#chosenAgent()
  }

  async #readCaller(): Promise<void> {
    const { id, role } = await callerOf(this.client)
    this.isAdmin.value = role === 'admin'
    if (!this.session.know(id)) location.replace(location.pathname)
  }

  #tell(error: ServerError): void {
    if (error.status !== 401) this.fault.value = error
    if (isOffline(error)) void this.#waitForServer()
  }

  /** Asks until the server is there again, and shows what it has then. */
  async #waitForServer(): Promise<void> {
    if (this.#isWaiting) return
    this.#isWaiting = true
    await this.guarded(() => untilReached(() => this.#read(), NEVER))
    this.#isWaiting = false
  }

  #openNamed(): void {
    this.#show(namedChat())
  }

  #show(id: string | undefined): void {
    if (id !== undefined && id === this.chat.value.id) return
    const back = this.left.back(id)
    this.left.leave(this.chat.value)
    const chat = back ?? this.#newChat(id)
    this.chat.value = chat
    if (id === undefined) chat.agent.value = this.#chosenAgent()
    else if (!back) void chat.open()
  }

  #newChat(id?: string): Chat {
    const onTurn = (chat: Chat) => {
      this.#nameAddress(chat)
      void this.guarded(() => this.list.loadTitled(chat.id, firstWordsOf(chat.messages.value)))
    }
    const onChange = (chat: Chat) => this.#tabs.changed(chat.id)
    return new Chat({ client: this.client, kept: this.drafts, onTurn, onChange }, id)
  }

  /** The address names the chat from its first message on. */
  #nameAddress(chat: Chat): void {
    if (chat === this.chat.value)
      history.replaceState(null, '', `?chat=${encodeURIComponent(chat.id)}`)
  }

  #chosenAgent(): string | undefined {
    const chosen = this.drafts.get(CHOSEN)
    const names = [...this.agents.value.keys()]
    return names.find((name) => name === chosen) ?? names[0]
  }
}
