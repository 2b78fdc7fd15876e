import type { Limits } from '@braidwork/plugin'
import { limitError } from './answer-limit.ts'

/** How far an answer has come, as the stream that brings it tells. */
export class Progress {
  readonly #limits: Limits
  readonly #provider: string
  #chunks = 0
  #news = 0

  constructor(limits: Limits, provider: string) {
    this.#limits = limits
    this.#provider = provider
  }

  /** How often something came that is to be shown. */
  get news(): number {
    return this.#news
  }

  /** @throws {HostError} PROVIDER_FAILED beyond `limits.answer_events` */
  addChunks(count: number): void {
    this.#chunks += count
    if (this.#chunks <= this.#limits.answer_events) return
    throw limitError(this.#limits, 'answer_events', this.#provider)
  }

  /** Takes what chunks came to; a delta without text is nothing. */
  addPartials(partials: readonly unknown[]): void {
    for (let at = 0; at < partials.length; at++) {
      if ((partials[at] as { readonly delta?: unknown } | null)?.delta === '') continue
      this.#news++
      return
    }
  }
}
