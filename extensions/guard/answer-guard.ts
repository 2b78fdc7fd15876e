import type { PartialEvent } from '@braidwork/plugin'
import type { Rule } from './settings.ts'
import { TextScanner } from './text-scanner.ts'
import { textsIn } from './texts.ts'
import { findRule } from './verdict.ts'

type DeltaEvent = Extract<PartialEvent, { readonly delta: string }>
type CallEnd = Extract<PartialEvent, { readonly type: 'tool-call-end' }>

/** Filters the events of one answer: passes on those that no rule stops. */
export class AnswerGuard {
  readonly #rules: readonly Rule[]
  readonly #scanners = new Map<string, TextScanner>()
  /** Tool call arguments, held until they are complete. Rules match the parsed values, not the JSON text. */
  readonly #arguments = new Map<string, string>()
  #stop: Rule | undefined

  constructor(rules: readonly Rule[]) {
    this.#rules = rules
  }

  /** The rule that stopped the answer, if any. */
  get stop(): Rule | undefined {
    return this.#stop
  }

  filter(events: readonly PartialEvent[]): readonly PartialEvent[] {
    const shown: PartialEvent[] = []
    for (const event of events) {
      if (this.#stop) break
      shown.push(...this.#filterOne(event))
    }
    return shown
  }

  #filterOne(event: PartialEvent): readonly PartialEvent[] {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return this.#addDelta(event)
      case 'text-end':
        return this.#endText('text-delta', event)
      case 'reasoning-end':
        return this.#endText('reasoning-delta', event)
      case 'tool-call-delta':
        this.#arguments.set(event.id, `${this.#arguments.get(event.id) ?? ''}${event.delta}`)
        return []
      case 'tool-call-end':
        return this.#endCall(event)
      case 'tool-result':
        return this.#whole(event, event.output)
      case 'source':
        return this.#whole(event, [event.title, event.url])
      case 'data':
        return this.#whole(event, event.data)
      default:
        return [event]
    }
  }

  #addDelta({ type, id, delta }: DeltaEvent): readonly PartialEvent[] {
    const key = `${type} ${id}`
    const scanner = this.#scanners.get(key) ?? new TextScanner(this.#rules)
    this.#scanners.set(key, scanner)
    const { shown, stop } = scanner.add(delta)
    this.#stop = stop
    return shown === '' ? [] : [{ type, id, delta: shown }]
  }

  #endText(
    type: 'text-delta' | 'reasoning-delta',
    event: PartialEvent & { readonly id: string },
  ): readonly PartialEvent[] {
    const { id } = event
    const { shown, stop } = this.#scanners.get(`${type} ${id}`)?.end() ?? { shown: '' }
    this.#scanners.delete(`${type} ${id}`)
    this.#stop = stop
    const rest: readonly PartialEvent[] = shown === '' ? [] : [{ type, id, delta: shown }]
    return stop ? rest : [...rest, event]
  }

  #endCall(event: CallEnd): readonly PartialEvent[] {
    const { id } = event
    const delta = this.#arguments.get(id)
    this.#arguments.delete(id)
    const ending = this.#whole(event, event.input)
    if (delta === undefined || ending.length === 0) return ending
    return [{ type: 'tool-call-delta', id, delta }, ...ending]
  }

  #whole(event: PartialEvent, value: unknown): readonly PartialEvent[] {
    this.#stop = findRule(this.#rules, textsIn(value))
    return this.#stop ? [] : [event]
  }
}
