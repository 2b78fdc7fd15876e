import type { RunEvent } from '@braidwork/plugin'
import { defined } from '../index.ts'
import { frameOf } from './chunks.ts'

type Steering = Extract<RunEvent, { type: 'steering' }>

/** Writes what was said to the run in a step. The history has each of these messages as one of its own. */
export class Said {
  #ofStep = ''

  beginStep(): void {
    this.#ofStep = ''
  }

  add({ message: { id, parts } }: Steering): string {
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const frame = frameOf({ type: 'data-steering', ...defined({ id }), data: { text } })
    this.#ofStep += frame
    return frame
  }

  /** All of the step once more, for a client that has dropped the step. */
  again(): string {
    return this.#ofStep
  }
}
