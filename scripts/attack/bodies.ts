import { cpuOf } from './harness/cpu.ts'
import type { AttackQuestion } from './harness/question.ts'
import { type Answered, attempted, withModel } from './harness/requests.ts'
import { NONSENSE, SHAPES } from './harness/shapes.ts'
import { type Outcome, Tally, timer } from './harness/tally.ts'
import { WIRES } from './harness/turns.ts'

/** Milliseconds within which every body must be answered or refused. */
const PATIENCE = 10_000
const LARGEST = 10 << 20
/** A client may still be sending when a body of at least this many bytes is refused. */
const CUT = 1 << 20
/** The number of most expensive bodies to report. */
const TOLD = 5
/** A model of each provider. */
export const MODELS = [
  'quick',
  'faithful-openai',
  'faithful-openai-chat',
  'faithful-openai-compatible',
  'faithful-anthropic',
]

/** Sends the largest bodies, and bodies with the most items, that are accepted, with every protocol and provider. */
export async function sendBodies(question: AttackQuestion): Promise<Outcome> {
  const { scale, models = MODELS } = question
  const sender = new Sender(question)
  for (const wire of WIRES) {
    for (const { name, count, make } of SHAPES) {
      const body = wire.body(make(Math.floor(count * scale)))
      for (const model of models) {
        const text = JSON.stringify(withModel(wire.path, body, model))
        await sender.send(`${name} by ${model}`, wire.path, text)
      }
    }
    for (const { name, make } of NONSENSE) {
      await sender.send(name, wire.path, make(Math.floor(LARGEST * scale)))
    }
  }
  return sender.outcome
}

/** Sends bodies one after the other, and records their CPU cost on the server. */
class Sender {
  readonly #question: AttackQuestion
  readonly #tally = new Tally()
  readonly #isTimeUp: () => boolean
  readonly #costs: { readonly where: string; readonly cost: number }[] = []
  #sent = 0

  constructor(question: AttackQuestion) {
    this.#question = question
    this.#isTimeUp = timer(question)
  }

  get outcome(): Outcome {
    const dearest = this.#costs.sort((left, right) => right.cost - left.cost).slice(0, TOLD)
    for (const { where, cost } of dearest) this.#tally.note(`${cost} ms of CPU for ${where}`)
    return this.#tally.outcome
  }

  async send(what: string, path: string, body: string): Promise<void> {
    const { url, tokens, pid } = this.#question
    const where = `${what}, ${body.length >> 10} KiB, at ${path}`
    if (this.#isTimeUp()) return this.#tally.add(`${where}: time is up`)
    const token = tokens[this.#sent++ % tokens.length] as string
    const before = cpuOf(pid)
    const answer = await attempted(url, path, { token, body, patience: PATIENCE })
    this.#costs.push({ where: `${where}: ${answer.status}`, cost: cpuOf(pid) - before })
    // If the server closes the connection while the client is still sending, the refusal may be lost.
    const isCut = /EPIPE|ECONNRESET/.test(answer.text) && body.length > CUT
    const fault = isCut ? undefined : faultOf(answer)
    return this.#tally.add(fault === undefined ? undefined : `${where}: ${fault}`)
  }
}

/** The fault of a response. It must be an answer, or a refusal with a reason. */
export function faultOf({ status, text }: Answered): string | undefined {
  const isRefusal = status >= 400 && status < 500 && /code|error/.test(text)
  if (status === 200 || isRefusal) return undefined
  return `status ${status} ${text.slice(0, 200)}`
}
