import type { RunEvent } from '@braidwork/plugin'
import { McpEnding } from './ending.ts'
import {
  aboutRun,
  contentOf,
  jsonObjectIn,
  type McpContent,
  type McpResult,
  type McpResultFacts,
} from './result.ts'

interface Made {
  readonly step: number
  readonly content: McpContent
}

/**
 * The answer of an agent, read from the events of its run: the text of the last step that has one, and all files and
 * sources.
 */
export class McpAnswer {
  #step = 0
  #text = { step: 0, text: '' }
  readonly #made: Made[] = []
  readonly #ending = new McpEnding()

  add(event: RunEvent): void {
    this.#ending.add(event)
    switch (event.type) {
      case 'step-start':
        this.#step = event.step
        return
      case 'text-delta':
        this.#grow(event.delta)
        return
      case 'file':
      case 'source':
        this.#place(event)
        return
      case 'step-reset':
        this.#reset(event.step)
        return
      default:
    }
  }

  /** @param isJson whether the answer of the agent is JSON */
  result(facts: McpResultFacts, isJson: boolean): McpResult {
    const about = aboutRun(facts)
    const failure = this.#ending.failure(about)
    if (failure) return failure
    const { text } = this.#text
    const structured = isJson ? jsonObjectIn(text) : undefined
    const texts: McpContent[] = text === '' ? [] : [{ type: 'text', text }]
    return {
      content: [...texts, ...this.#made.map(({ content }) => content)],
      ...(structured ? { structuredContent: structured } : {}),
      _meta: { ...about },
    }
  }

  #grow(delta: string): void {
    const before = this.#text.step === this.#step ? this.#text.text : ''
    if (delta !== '') this.#text = { step: this.#step, text: before + delta }
  }

  #reset(step: number): void {
    if (this.#text.step === step) this.#text = { step, text: '' }
    const kept = this.#made.filter((one) => one.step !== step)
    this.#made.splice(0, Infinity, ...kept)
  }

  #place(event: Extract<RunEvent, { type: 'file' | 'source' }>): void {
    const content = contentOf(event)
    if (content) this.#made.push({ step: this.#step, content })
  }
}
