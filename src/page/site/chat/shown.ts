import { signal } from '@preact/signals'
import type { UiMessage } from '../message/index.ts'
import type { History, Place, Reason, Versions } from '../server/index.ts'
import { AgentChoice } from './agent-choice.ts'
import type { Kept } from './kept.ts'

/** How a run ended. */
export interface End {
  readonly status: string
  /** Why it failed. */
  readonly error?: Reason | undefined
}

/** The end of an answer that the server stopped, because nobody read it any more. */
const UNREAD = 'unread'

/** What is shown of a conversation, as the server told it last, and what has come since. */
export class Shown {
  readonly id: string
  readonly messages = signal<readonly UiMessage[]>([])
  /** The versions of messages that have several, on all branches. */
  readonly versions = signal<readonly Versions[]>([])
  /** Whether the server has the conversation. */
  readonly isStored = signal(false)
  /** How the newest run had ended when the conversation was read or its answer ended. Nothing was sent since. */
  readonly lastEnd = signal<End | undefined>(undefined)
  /** How the runs of answers that may not be whole ended, by the ids of their messages. */
  readonly endings = signal<ReadonlyMap<string, End>>(new Map())
  /** The published model or agent that answers. */
  readonly agent = signal<string | undefined>(undefined)
  readonly #choice: AgentChoice
  readonly #kept: Kept
  /** When the conversation had changed, as the server told. */
  #readAt: number | undefined

  constructor(kept: Kept, id: string) {
    this.id = id
    this.#kept = kept
    this.#choice = new AgentChoice(kept, id)
  }

  /** Whether a history is that which was taken last. */
  isKnown({ updatedAt }: History): boolean {
    return updatedAt === this.#readAt
  }

  /** @returns whether it has other messages than those that were shown */
  take(history: History): boolean {
    const before = this.messages.value
    const messages = keptOf(before, history.messages)
    this.#readAt = history.updatedAt
    this.messages.value = messages
    this.versions.value = history.versions ?? []
    this.lastEnd.value = endOf(history)
    const endings = history.endings ?? []
    this.endings.value = new Map(endings.map((ending) => [ending.messageId, ending]))
    this.isStored.value = true
    const take = () => (this.agent.value = this.#choice.of(this.messages.value) ?? history.agent)
    take()
    // As long as it is not known whose choices are kept, there is none.
    void this.#kept.owned.then(take)
    return messages.length !== before.length || messages.some(({ id }, at) => id !== before[at]?.id)
  }

  /** Shows messages that the server may not take. @returns shows those of before again */
  showInstead(messages: readonly UiMessage[]): () => void {
    const [before, end] = [this.messages.value, this.lastEnd.value]
    this.messages.value = messages
    return () => {
      this.messages.value = before
      this.lastEnd.value = end
    }
  }

  /** Takes how the answer that came has ended. @param end undefined if it ended as it should */
  end(end: End | undefined): void {
    if (end !== undefined) this.lastEnd.value = end
    const last = this.messages.value.at(-1)
    if (last?.role !== 'assistant') return
    const others = [...this.endings.value].filter(([id]) => id !== last.id)
    this.endings.value = new Map(end === undefined ? others : [...others, [last.id, end]])
  }

  /** Where the settings of the chat are. */
  get place(): Place {
    return { agent: this.agent.value, conversationId: this.isStored.value ? this.id : undefined }
  }

  /** Chooses what answers the next message of the conversation. */
  choose(agent: string): void {
    this.agent.value = agent
    this.#choice.choose(agent, this.messages.value)
  }
}

/** The messages of the server, of which those that are shown as they are stay the same objects: they are not drawn again. */
function keptOf(before: readonly UiMessage[], all: readonly UiMessage[]): readonly UiMessage[] {
  const known = new Map(before.map((message) => [message.id, message]))
  return all.map((message) => {
    const same = known.get(message.id)
    return same && JSON.stringify(same) === JSON.stringify(message) ? same : message
  })
}

/** How the last run ended, if it wrote the last answer that is shown: another one may be on another branch. */
function endOf({ lastRun, messages }: History): End | undefined {
  const runId = messages.at(-1)?.metadata?.runId
  if (!lastRun || (runId !== undefined && runId !== lastRun.id)) return undefined
  return lastRun.isUnread ? { ...lastRun, status: UNREAD } : lastRun
}
