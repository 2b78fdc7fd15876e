/** An honest client as a separate process: it keeps requesting health and answers, and measures response times. */
import { answerQuestions } from '../../../test/server/load/processes.ts'
import { LOAD_PROTOCOLS, type LoadProtocol } from '../../../test/server/load/protocols.ts'
import { textOf } from '../../../test/server/load/stamps.ts'
import { asked, modelIn } from './requests.ts'

export interface BystanderQuestion {
  /** Starts the requests. Without it the client stops and reports its measurements. */
  readonly begin?: {
    readonly url: string
    /** Which answers to request; by default only health. */
    readonly answers?: AnswersQuestion
  }
}

interface AnswersQuestion {
  readonly token: string
  readonly model: string
  readonly words: number
}

/** Response times in milliseconds. */
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

/** Milliseconds between health checks, and between answers. With deletions this is below the limit of one identity. */
const PROBE = 25
const ANSWER = 200
/** The maximum number of concurrent requests. */
const TOGETHER = 100
/** Milliseconds after which a missing response counts as a fault. */
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

  /** Starts a request without waiting for earlier ones. */
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

  /** Requests an answer with each protocol in turn. @returns a function that deletes the stored data */
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
