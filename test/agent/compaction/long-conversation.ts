import type { Message, Part, ToolResultPart } from '../../../src/plugin/events/index.ts'

/** What compactions may not lose of a conversation: LR-08 names it. */
export interface Promised {
  /** The texts of errors by the call that failed, until the same call succeeds. */
  readonly incidents: Map<string, string>
  /** References to results, files and sources. */
  readonly evidence: Set<string>
}

const TOOLS = ['fetch', 'read', 'search']

/**
 * Makes a conversation from numbers: each decides what comes next, and how long it is. It tells meanwhile what no
 * compaction may lose.
 */
export class LongConversation {
  readonly promised: Promised = { incidents: new Map(), evidence: new Set() }
  #count = 0

  /** The messages of one exchange: what the user says, calls with their results, and the answer. */
  turn(seeds: readonly number[]): readonly Message[] {
    const [first = 0, ...steps] = seeds
    return [
      { role: 'user', parts: [text('asks', first), ...this.#file(first)] },
      ...steps.flatMap((seed) => this.#step(seed)),
      { role: 'assistant', parts: [text('answers', first >> 3), ...this.#source(first)] },
    ]
  }

  /** A call that nobody has answered yet, and its answer. */
  request(): readonly [Message, Message] {
    const callId = `open${this.#count++}`
    return [
      { role: 'assistant', parts: [{ type: 'tool-call', callId, name: 'pay', input: {} }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId, name: 'pay', output: 'paid' }] },
    ]
  }

  /** One or two calls at once. */
  #step(seed: number): readonly Message[] {
    const seeds = seed % 5 === 0 ? [seed, seed >> 5] : [seed]
    const calls = seeds.map((own) => {
      const input = { item: (own >> 4) % 40 }
      const name = TOOLS[own % TOOLS.length] as string
      return { type: 'tool-call', callId: `call${this.#count++}`, name, input } as const
    })
    const results = calls.map((call, at) => this.#result(call, seeds[at] as number))
    return [
      { role: 'assistant', parts: [...(seed % 3 === 0 ? [text('thinks', seed)] : []), ...calls] },
      { role: 'tool', parts: results },
    ]
  }

  #result(
    { callId, name, input }: { callId: string; name: string; input: { item: number } },
    seed: number,
  ): ToolResultPart {
    const result = { type: 'tool-result', callId, name } as const
    const call = `${name}({"item":${input.item}})`
    if (seed % 4 === 1) {
      this.promised.incidents.set(call, `refused ${callId}`)
      return { ...result, output: `refused ${callId}`, isError: true }
    }
    this.promised.incidents.delete(call)
    const output = `${callId} ${'word '.repeat(seed % 1500)}`
    if (seed % 4 !== 2) return { ...result, output }
    const hashes = Array.from({ length: 1 + (seed % 7) }, (_, at) => `${at}`.padEnd(64, callId))
    for (const hash of hashes) this.promised.evidence.add(hash)
    const references = hashes.map((hash) => ({ hash, mediaType: 'text/plain', size: 70_000 }))
    return { ...result, output, references }
  }

  #file(seed: number): readonly Part[] {
    return seed % 6 === 0 ? [{ type: 'file', mediaType: 'image/png', url: this.#url('file') }] : []
  }

  #source(seed: number): readonly Part[] {
    return seed % 6 === 1 ? [{ type: 'source', url: this.#url('source'), title: 'A source' }] : []
  }

  #url(kind: string): string {
    const url = `https://example.com/${kind}/${this.#count++}`
    this.promised.evidence.add(url)
    return url
  }
}

function text(does: string, seed: number): Part {
  return { type: 'text', text: `${does} ${seed} ${'😀 ja '.repeat(seed % 200)}` }
}
