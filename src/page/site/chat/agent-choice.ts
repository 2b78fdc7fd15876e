import type { UiMessage } from '../message/index.ts'
import type { Kept } from './kept.ts'

/**
 * Which model or agent a person has chosen in a conversation. The choice outlives a reload, and ends with the next
 * answer, whose agent then answers on.
 */
export class AgentChoice {
  readonly #kept: Kept
  readonly #key: string

  /** @param id the conversation */
  constructor(kept: Kept, id: string) {
    this.#kept = kept
    this.#key = `agent.${id}`
  }

  choose(agent: string, messages: readonly UiMessage[]): void {
    this.#kept.set(this.#key, JSON.stringify([agent, lastAnswerIn(messages)?.id ?? '']))
  }

  /** The chosen one, or else the one that answered last. */
  of(messages: readonly UiMessage[]): string | undefined {
    const last = lastAnswerIn(messages)
    const [agent, since] = choiceIn(this.#kept.get(this.#key))
    if (agent !== undefined && since === (last?.id ?? '')) return agent
    return last?.metadata?.agent
  }
}

function lastAnswerIn(messages: readonly UiMessage[]): UiMessage | undefined {
  return messages.findLast(({ role }) => role === 'assistant')
}

/** What a text of the browser's storage says, which others may have written. */
function choiceIn(text: string | undefined): readonly (string | undefined)[] {
  try {
    const choice: unknown = JSON.parse(text ?? '[]')
    const isChoice = Array.isArray(choice) && choice.every((one) => typeof one === 'string')
    return isChoice ? choice : []
  } catch {
    return []
  }
}
