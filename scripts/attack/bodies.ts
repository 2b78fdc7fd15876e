import { cpuOf } from './harness/cpu.ts'
import type { AttackQuestion } from './harness/question.ts'
import { type Answered, attempted, withModel } from './harness/requests.ts'
import { NONSENSE, SHAPES } from './harness/shapes.ts'
import { type Outcome, Tally, timer } from './harness/tally.ts'
import { WIRES } from './harness/turns.ts'

/** Milliseconds in which any body is answered, or refused. */
const PATIENCE = 10_000
const LARGEST = 10 << 20
/** Bytes from which on a slow client may still be sending when it is refused. */
const CUT = 1 << 20
/** Bodies of which it is told what they cost. */
const TOLD = 5
/** What a model of each provider is called. */
export const MODELS = [
  'quick',
  'faithful-openai',
  'faithful-openai-chat',
  'faithful-openai-compatible',
  'faithful-anthropic',
]

/** Sends bodies as large and as many of everything as fit, in every protocol, to every provider. */
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

/** Sends one body after the other, and keeps what they cost the server. */
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
    // A connection that is closed while more is sent may lose what was said.
    const isCut = /EPIPE|ECONNRESET/.test(answer.text) && body.length > CUT
    const fault = isCut ? undefined : faultOf(answer)
    return this.#tally.add(fault === undefined ? undefined : `${where}: ${fault}`)
  }
}

/** What is wrong with an answer that should be one, or a refusal that says why. */
export function faultOf({ status, text }: Answered): string | undefined {
  const isRefusal = status >= 400 && status < 500 && /code|error/.test(text)
  if (status === 200 || isRefusal) return undefined
  return `status ${status} ${text.slice(0, 200)}`
}
