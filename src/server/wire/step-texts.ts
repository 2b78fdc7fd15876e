import type { Message, Part } from '@braidwork/plugin'
import type { RunFacts } from './protocol.ts'

/** The blank line between the texts of two steps, which clients join to one text. */
const GAP = '\n\n'

/** Says where a blank line separates the texts of the steps of an answer. */
export class StepGaps {
  #hasText = false
  #isNewStep = false

  beginStep(): void {
    this.#isNewStep = true
  }

  /** Returns what separates a text from those before it. */
  before(): string {
    const gap = this.#hasText && this.#isNewStep ? GAP : ''
    this.#hasText = true
    this.#isNewStep = false
    return gap
  }
}

/**
 * Returns the messages of an answer with the texts that a client is shown: separated by steps, or only those of the last
 * step. All parts keep their places; a text that is not shown is empty, and its sources have no URL.
 */
export function withStepTexts(
  messages: readonly Message[],
  { holdsText = false }: Pick<RunFacts, 'holdsText'>,
): readonly Message[] {
  const first = holdsText ? lastStepOf(messages) : 0
  const gaps = new StepGaps()
  return messages.map((message, at) => {
    if (message.role !== 'assistant') return message
    gaps.beginStep()
    const parts = message.parts.map((part) => (at < first ? hidden(part) : separated(part, gaps)))
    return { ...message, parts }
  })
}

/** Returns the place of the last step's message. Each step has one message of the assistant. */
export function lastStepOf(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === 'assistant')
}

function separated(part: Part, gaps: StepGaps): Part {
  if (part.type !== 'text' || part.text === '') return part
  return { ...part, text: gaps.before() + part.text }
}

function hidden(part: Part): Part {
  if (part.type === 'text') return { ...part, text: '' }
  if (part.type !== 'source') return part
  const { url: _, ...source } = part
  return source
}
