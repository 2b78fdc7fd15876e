import { MODELS } from './bodies.ts'
import { cpuOf } from './harness/cpu.ts'
import type { AttackQuestion, Candidate } from './harness/question.ts'
import { attempted, withModel } from './harness/requests.ts'
import { SHAPES, type Shape } from './harness/shapes.ts'
import { type Outcome, Tally } from './harness/tally.ts'
import { WIRES, type Wire } from './harness/turns.ts'

const PATIENCE = 20_000
/** The number of most expensive shapes that are tried on all models. */
const DEAREST = 3
/** How near a body must be to the largest accepted one, as a factor. */
const NEAR = 1.2
/** The search ends after this many steps without an accepted body. */
const STEPS = 16

interface Cost {
  readonly candidate: Candidate
  /** CPU time of the server in milliseconds. */
  readonly cost: number
}

/** Finds the most expensive accepted body for each protocol. */
export async function findWorst(question: AttackQuestion): Promise<Outcome> {
  const tally = new Tally()
  const searcher = new Searcher(question)
  const worst: Candidate[] = []
  for (const wire of WIRES) {
    const { candidate, cost } = await searcher.worstOf(wire)
    const kibibytes = Math.round(candidate.body.length / 1024)
    tally.note(`${wire.path}: ${candidate.what}, ${kibibytes} KiB, ${Math.round(cost)} ms of CPU`)
    tally.add(undefined)
    worst.push(candidate)
  }
  return { ...tally.outcome, worst }
}

/** Finds the largest accepted body of each shape, and its cost. */
class Searcher {
  readonly #question: AttackQuestion
  readonly #counts = new Map<Shape, number>()
  #asked = 0

  constructor(question: AttackQuestion) {
    this.#question = question
  }

  /** Tries all shapes with one model, then the most expensive ones with all other models. */
  async worstOf(wire: Wire): Promise<Cost> {
    const [model = '', ...others] = this.#question.models ?? MODELS
    const found: (Cost & { readonly shape: Shape; readonly count: number })[] = []
    for (const shape of SHAPES) {
      const largest = await this.#largest(wire, shape, model)
      if (largest) found.push({ ...largest, shape })
    }
    const dearest = found.sort(byCost).slice(0, DEAREST)
    const costs: Cost[] = [...dearest]
    for (const { shape, count } of dearest) {
      for (const other of others) {
        const candidate = candidateOf(wire, shape, { count, model: other })
        const { isLetIn, cost } = await this.#try(candidate)
        if (isLetIn) costs.push({ candidate, cost })
      }
    }
    const [worst] = costs.sort(byCost)
    if (worst === undefined) throw new Error(`No body was let in at ${wire.path}.`)
    return worst
  }

  /**
   * The largest accepted number of items. Limits are similar in all protocols, so the search begins at the last result.
   */
  async #largest(
    wire: Wire,
    shape: Shape,
    model: string,
  ): Promise<(Cost & { readonly count: number }) | undefined> {
    const known = this.#counts.get(shape)
    // A body with more items would be refused, or would not cost more.
    let most = Math.max(2, shape.count * this.#question.scale * 2)
    let count = Math.floor(known ?? most / 2)
    let largest: (Cost & { readonly count: number }) | undefined
    for (let step = 0; step < STEPS && count >= 1; step++) {
      const candidate = candidateOf(wire, shape, { count, model })
      const { isLetIn, cost } = await this.#try(candidate)
      if (isLetIn) largest = { candidate, cost, count }
      else most = count
      const least = largest?.count ?? 0
      if (most <= least * NEAR || (known !== undefined && least > 0)) break
      count = Math.floor((least + most) / 2)
    }
    if (largest) this.#counts.set(shape, largest.count)
    return largest
  }

  async #try({ path, body }: Candidate): Promise<{ isLetIn: boolean; cost: number }> {
    const { url, tokens, pid } = this.#question
    for (;;) {
      const token = tokens[this.#asked++ % tokens.length] as string
      const before = cpuOf(pid)
      const { status, headers } = await attempted(url, path, { token, body, patience: PATIENCE })
      if (status !== 429) return { isLetIn: status === 200, cost: cpuOf(pid) - before }
      await new Promise((resolve) => setTimeout(resolve, Number(headers['retry-after']) * 1000))
    }
  }
}

function byCost(left: Cost, right: Cost): number {
  return right.cost - left.cost
}

function candidateOf(
  { path, body }: Wire,
  { name, make }: Shape,
  { count, model }: { readonly count: number; readonly model: string },
): Candidate {
  const text = JSON.stringify(withModel(path, body(make(count)), model))
  return { what: `${name} (${count}) by ${model}`, path, body: text }
}
