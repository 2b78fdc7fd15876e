/** Clients of a server under load, in a process of their own: they parse and compare as they read. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { answerQuestions } from './processes.ts'
import { LOAD_PROTOCOLS, type LoadProtocol } from './protocols.ts'
import { readStamp, textOf } from './stamps.ts'

export interface ClientsQuestion {
  readonly url: string
  readonly count: number
  /** How many of them stop reading after the first piece, until all others are through. */
  readonly paused: number
  readonly words: number
  /** Milliseconds over which they begin, one after the other. */
  readonly ramp: number
}

export interface ClientsAnswer {
  /** Milliseconds from where a piece was made to where it was read, of all clients that read. */
  readonly ages: { readonly p50: number; readonly p99: number; readonly most: number }
  /** Milliseconds that streams took, of the clients that read. */
  readonly durations: { readonly median: number; readonly most: number }
  readonly pieces: number
  /** Most streams that were open at once. */
  readonly together: number
  /** What was wrong with any of them. */
  readonly faults: readonly string[]
  /** CPU of the clients, microseconds. */
  readonly cpu: number
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

class Crowd {
  readonly ages: number[] = []
  readonly durations: number[] = []
  readonly faults: string[] = []
  pieces = 0
  open = 0
  together = 0
  readonly #conversations: string[] = []
  readonly #question: ClientsQuestion
  readonly #text: string
  #left: number
  #readOn: () => void = () => undefined
  /** When all who read are through. */
  readonly others = new Promise<void>((resolve) => {
    this.#readOn = resolve
  })

  constructor(question: ClientsQuestion) {
    this.#question = question
    this.#text = textOf(question.words)
    this.#left = question.count - question.paused
  }

  async run(): Promise<void> {
    const { count, ramp } = this.#question
    const streams = Array.from({ length: count }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (ramp * index) / count))
      await this.#stream(index)
    })
    await Promise.all(streams)
    for (const id of this.#conversations) await this.#delete(id)
  }

  async #stream(index: number): Promise<void> {
    const { count, paused } = this.#question
    const protocol = LOAD_PROTOCOLS[index % LOAD_PROTOCOLS.length] as LoadProtocol
    const id = `load-${process.pid}-${index}`
    if (protocol.keepsConversation) this.#conversations.push(id)
    // Spread over all, so that they are of every protocol.
    const isPaused =
      Math.floor((index * paused) / count) < Math.floor(((index + 1) * paused) / count)
    const startedAt = performance.now()
    this.together = Math.max(this.together, ++this.open)
    try {
      await this.#read(protocol, id, isPaused)
    } catch (error) {
      this.faults.push(
        `${protocol.name}: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
    this.open--
    if (isPaused) return
    this.durations.push(performance.now() - startedAt)
    if (--this.#left === 0) this.#readOn()
  }

  async #read(protocol: LoadProtocol, id: string, isPaused: boolean): Promise<void> {
    const { url } = this.#question
    const response = await post(`${url}${protocol.path}`, protocol.body(id))
    let text = ''
    let rest = ''
    const onFrame = (frame: string) => {
      const at = frame.indexOf('data: {')
      const delta = at === -1 ? undefined : protocol.delta(JSON.parse(frame.slice(at + 6)))
      if (delta === undefined || delta === '') return
      const piece = readStamp(delta)
      text += piece.text
      this.pieces++
      if (!isPaused) this.ages.push(piece.age)
      else if (this.pieces > 0 && response.readableFlowing) {
        response.pause()
        void this.others.then(() => response.resume())
      }
    }
    response.setEncoding('utf8').on('data', (piece: string) => {
      const frames = (rest + piece).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) onFrame(frame)
    })
    await ended(response)
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode} ${rest}`)
    if (text !== this.#text) throw new Error(`read ${text.length} of ${this.#text.length}: ${text}`)
  }

  async #delete(id: string): Promise<void> {
    const url = `${this.#question.url}/api/conversations/${id}`
    const { status } = await fetch(url, { method: 'DELETE' })
    if (status !== 204) this.faults.push(`deleting answered ${status}`)
  }
}

function post(url: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    request(url, { method: 'POST', agent, headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify(body))
  })
}

function ended(response: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    response.on('end', resolve).on('error', reject)
    response.on('aborted', () => reject(new Error('the connection broke')))
  })
}

function shareOf(numbers: number[], share: number): number {
  numbers.sort((left, right) => left - right)
  return numbers[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN
}

answerQuestions(async (question: ClientsQuestion): Promise<ClientsAnswer> => {
  const before = process.cpuUsage()
  const crowd = new Crowd(question)
  await crowd.run()
  const { user, system } = process.cpuUsage(before)
  const { ages, durations, pieces, together, faults } = crowd
  return {
    ages: { p50: shareOf(ages, 0.5), p99: shareOf(ages, 0.99), most: shareOf(ages, 1) },
    durations: { median: shareOf(durations, 0.5), most: shareOf(durations, 1) },
    pieces,
    together,
    faults: faults.slice(0, 10),
    cpu: user + system,
  }
})
