import type { CallOutcome } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import type { WaitingChild } from './waiting-child.ts'

/** What a part of a call ended with, while another part waits. */
interface EndedPart {
  readonly ended: CallOutcome
}

/**
 * What a run keeps of its children while it waits for a person: the children that wait, by the calls that wait for them,
 * and what other parts of these calls ended with. It is JSON. AL-23
 */
export class KeptChildren {
  readonly #waiting = new Map<string, WaitingChild>()
  readonly #ended = new Map<string, CallOutcome>()

  /** @param kept what `all` gave out */
  constructor(kept: object = {}) {
    for (const [key, value] of Object.entries(kept)) {
      if (isEnded(value)) this.#ended.set(key, value.ended)
      else this.#waiting.set(key, value as WaitingChild)
    }
  }

  /** Undefined if there is nothing to keep. */
  get all(): { readonly [key: string]: WaitingChild | EndedPart } | undefined {
    if (this.#waiting.size + this.#ended.size === 0) return undefined
    const ended = [...this.#ended].map(([key, outcome]) => [key, { ended: outcome }] as const)
    return Object.fromEntries([...this.#waiting, ...ended])
  }

  has(key: string): boolean {
    return this.#waiting.has(key)
  }

  keep(key: string, child: WaitingChild): void {
    this.#waiting.set(key, child)
  }

  take(key: string): WaitingChild | undefined {
    const child = this.#waiting.get(key)
    this.#waiting.delete(key)
    return child
  }

  keepEnded(key: string, outcome: CallOutcome): void {
    this.#ended.set(key, outcome)
  }

  takeEnded(key: string): CallOutcome | undefined {
    const outcome = this.#ended.get(key)
    this.#ended.delete(key)
    return outcome
  }
}

function isEnded(value: unknown): value is EndedPart {
  return isObject(value) && isObject(value['ended'])
}

/** The key of a call, or of a part of it. No id of an agent has a line break. */
export function keyOf(callId: string, part?: string): string {
  return part === undefined ? callId : `${callId}\n${part}`
}
