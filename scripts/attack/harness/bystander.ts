/** An honest client in a process of its own: asks for health and for answers all the while, and measures. */
import { answerQuestions } from '../../../test/server/load/processes.ts'
import { LOAD_PROTOCOLS, type LoadProtocol } from '../../../test/server/load/protocols.ts'
import { textOf } from '../../../test/server/load/stamps.ts'
import { asked, modelIn } from './requests.ts'

export interface BystanderQuestion {
  /** Begins to ask; without it the bystander ends, and answers what it saw. */
  readonly begin?: {
    readonly url: string
    /** Health alone where it is not said. */
    readonly answers?: AnswersQuestion
  }
}

interface AnswersQuestion {
  readonly token: string
  readonly model: string
  readonly words: number
}

/** Milliseconds. */
export interface Times {
  readonly count: number
  readonly p99: number
  readonly most: number
}

export interface BystanderAnswer {
  readonly health: Times
  readonly answers: Times
  readonly faults: readonly string[]
}

/** Milliseconds between two probes, and between two answers: with what deletes them, below the rate of one identity. */
const PROBE = 25
const ANSWER = 200
/** How many may be on their way at once. */
const TOGETHER = 100
/** Milliseconds after which it is a fault. */
const PATIENCE = 60_000

class Bystander {
  readonly #begin: NonNullable<BystanderQuestion['begin']>
  readonly #health: number[] = []
  readonly #answers: number[] = []
  readonly #faults: string[] = []
  readonly #open = new Set<Promise<void>>()
  readonly #timers: NodeJS.Timeout[]
  #asked = 0

  constructor(begin: NonNullable<BystanderQuestion['begin']>) {
    this.#begin = begin
    const { answers } = begin
    this.#timers = [setInterval(() => this.#start(this.#health, () => this.#probe()), PROBE)]
    if (!answers) return
    const ask = () => this.#start(this.#answers, () => this.#answer(answers))
    this.#timers.push(setInterval(ask, ANSWER))
  }

  async end(): Promise<BystanderAnswer> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#open)
    const faults = this.#faults.slice(0, 5)
    return { health: timesOf(this.#health), answers: timesOf(this.#answers), faults }
  }

  /** Whatever the ones before are at. */
  #start(times: number[], ask: () => Promise<(() => Promise<void>) | undefined>): void {
    if (this.#open.size >= TOGETHER) return
    const startedAt = performance.now()
    const asking = ask()
      .then((after) => {
        times.push(performance.now() - startedAt)
        return after?.()
      })
      .catch((error: unknown) => void this.#faults.push(String(error)))
      .finally(() => this.#open.delete(asking))
    this.#open.add(asking)
  }

  async #probe(): Promise<undefined> {
    const { status, text } = await asked(this.#begin.url, '/healthz', { patience: PATIENCE })
    if (status !== 200) throw new Error(`healthz answered ${status} ${text}`)
  }

  /** An answer in each protocol in turn; what deletes what is kept of it comes after. */
  async #answer({
    token,
    model,
    words,
  }: AnswersQuestion): Promise<(() => Promise<void>) | undefined> {
    const { url } = this.#begin
    const protocol = LOAD_PROTOCOLS[this.#asked++ % LOAD_PROTOCOLS.length] as LoadProtocol
    const id = `bystander-${process.pid}-${this.#asked}`
    const body = JSON.stringify(modelIn(protocol, model, id))
    const { status, text } = await asked(url, protocol.path, { token, body, patience: PATIENCE })
    const told = textIn(protocol, text)
    if (status !== 200 || told !== textOf(words)) {
      throw new Error(`${protocol.name} answered ${status} ${text.slice(0, 300)}`)
    }
    if (!protocol.keepsConversation) return undefined
    return async () => {
      await asked(url, `/api/conversations/${id}`, { token, method: 'DELETE', patience: PATIENCE })
    }
  }
}

function textIn(protocol: LoadProtocol, frames: string): string {
  const deltas = frames.split('\n\n').map((frame) => {
    const at = frame.indexOf('data: {')
    return at === -1 ? '' : (protocol.delta(JSON.parse(frame.slice(at + 6))) ?? '')
  })
  return deltas.join('')
}

function timesOf(times: number[]): Times {
  times.sort((left, right) => left - right)
  const count = times.length
  const p99 = times[Math.min(count - 1, Math.floor(count * 0.99))] ?? Number.NaN
  return { count, p99, most: times.at(-1) ?? Number.NaN }
}

let bystander: Bystander | undefined

answerQuestions(async ({ begin }: BystanderQuestion) => {
  const before = bystander
  bystander = begin ? new Bystander(begin) : undefined
  return before?.end()
})
