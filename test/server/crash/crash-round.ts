import { isDeepStrictEqual } from 'node:util'
import { textOf } from '../load/stamps.ts'
import { CRASH_MODEL, type CrashFolder, WORDS } from './crash-folder.ts'
import { collected, framesOf, ServerProcess, type StoredEvent, textIn } from './server-process.ts'

/** What a kill came to. */
export interface CrashRound {
  /** Runs that were at work when the process was killed. */
  readonly inFlight: number
  /** Runs that had ended by then. */
  readonly ended: number
  /** Events that clients had read by then. */
  readonly read: number
  /** Milliseconds until the next process served, all that was left by the first ended. */
  readonly restart: number
  /** What was lost, doubled, or said wrongly. */
  readonly faults: readonly string[]
}

/** When the process is killed: after so many events were read, or as the first of the runs ends. */
export type Moment = number | 'first-ending'

/** What one client was told before the connection broke. */
interface Witness {
  readonly protocol: 'ui-message-stream' | 'responses'
  readonly conversationId: string
  runId: string | undefined
  text: string
  readonly events: StoredEvent[]
}

const SCRIPT = textOf(WORDS)
/** Milliseconds over which runs begin: some end while others begin. */
const RAMP = 600

/** Kills a server under load, starts it anew on the same file, and looks at what is there. */
export async function crashRound(
  { folder }: CrashFolder,
  { runs, moment }: { readonly runs: number; readonly moment: Moment },
): Promise<CrashRound> {
  const server = await ServerProcess.start(folder)
  const crowd = new Crowd(server, moment)
  const ramp = moment === 'first-ending' ? 0 : RAMP
  const clients = Array.from({ length: runs }, (_, at) => crowd.begin(at, (ramp * at) / runs))
  await Promise.race([crowd.isEnough, Promise.all(clients)])
  await server.kill()
  await Promise.all(clients)
  const startedAt = performance.now()
  const next = await ServerProcess.start(folder)
  const restart = performance.now() - startedAt
  try {
    return { ...(await inspect(next, crowd.witnesses)), restart }
  } finally {
    await next.kill()
  }
}

/** Clients that read until the connection breaks. */
class Crowd {
  readonly witnesses: Witness[] = []
  readonly isEnough: Promise<void>
  readonly #server: ServerProcess
  readonly #moment: Moment
  #read = 0
  #enough: () => void = () => undefined

  constructor(server: ServerProcess, moment: Moment) {
    this.#server = server
    this.#moment = moment
    this.isEnough = new Promise((resolve) => {
      this.#enough = resolve
    })
  }

  async begin(index: number, delay: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, delay))
    const witness: Witness = {
      protocol: index % 3 === 2 ? 'responses' : 'ui-message-stream',
      conversationId: `crash-${process.hrtime.bigint()}-${index}`,
      runId: undefined,
      text: '',
      events: [],
    }
    this.witnesses.push(witness)
    try {
      const response = await this.#ask(witness)
      const runId = response.headers.get('x-run-id') ?? ''
      witness.runId = runId
      await Promise.all([this.#readText(witness, response), this.#readEvents(witness, runId)])
    } catch {
      // The connection broke: that is what happens here.
    }
  }

  #ask({ protocol, conversationId: id }: Witness): Promise<Response> {
    if (protocol === 'responses') {
      const body = { model: CRASH_MODEL, input: 'Go on.', store: true, stream: true }
      return this.#server.post('/v1/responses', body)
    }
    const messages = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }]
    return this.#server.post('/api/chat', { id, messages, trigger: 'submit-message' })
  }

  async #readText(witness: Witness, response: Response): Promise<void> {
    for await (const { type, delta } of framesOf<StoredEvent>(response)) {
      if (type === 'text-delta' || type === 'response.output_text.delta') witness.text += delta
    }
  }

  async #readEvents({ events }: Witness, runId: string): Promise<void> {
    for await (const event of this.#server.events(runId)) {
      events.push(event)
      const isFirstEnding = this.#moment === 'first-ending' && event.type === 'finish'
      if (++this.#read === this.#moment || isFirstEnding) this.#enough()
    }
  }
}

async function inspect(
  server: ServerProcess,
  witnesses: readonly Witness[],
): Promise<Omit<CrashRound, 'restart'>> {
  const faults: string[] = []
  let inFlight = 0
  let ended = 0
  for (const witness of witnesses) {
    const { runId } = witness
    if (runId === undefined) continue
    const stored = await collected(server.events(runId))
    if (stored.at(-1)?.type === 'finish') ended++
    else inFlight++
    const wrong = [...faultsOf(witness, stored), ...(await resumeFaults(server, witness, stored))]
    faults.push(...wrong.map((fault) => `${witness.protocol} ${runId}: ${fault}`))
  }
  if ((await server.activeRuns()) > 0) faults.push('A run is still counted as active.')
  const read = witnesses.reduce((sum, { events }) => sum + events.length, 0)
  return { inFlight, ended, read, faults }
}

/** What is stored, beside what was read before. */
function* faultsOf({ text, events }: Witness, stored: readonly StoredEvent[]) {
  if (stored.some(({ seq }, index) => seq !== index)) yield 'the numbers have a gap, or one twice'
  const isLost = events.some((event, index) => !isDeepStrictEqual(event, stored[index]))
  if (isLost) yield 'an event that was read is not there as it was'
  const last = stored.at(-1)
  const whole = textIn(stored)
  if (!whole.startsWith(text)) yield 'text that was read is not there'
  if (last?.type === 'finish') {
    if (whole !== SCRIPT) yield 'the text of a run that ended is not whole'
    return
  }
  if (!SCRIPT.startsWith(whole)) yield 'the text is not the script up to where it was cut'
  if (last?.error?.code !== 'RUN_INTERRUPTED') yield `it ends with ${JSON.stringify(last)}`
}

/** What a client is told who comes back. */
async function resumeFaults(
  server: ServerProcess,
  witness: Witness,
  stored: readonly StoredEvent[],
): Promise<readonly string[]> {
  const { protocol, runId = '', conversationId, events } = witness
  const rest = await collected(server.events(runId, events.at(-1)?.seq ?? -1))
  const faults: string[] = []
  if (!isDeepStrictEqual([...events, ...rest], stored)) faults.push('what is resumed does not fit')
  const text = textIn(stored)
  if (protocol === 'responses') {
    const frames = await collected(server.frames(`/v1/responses/resp_${runId}?stream=true`))
    const told = frames.map(({ type, delta }) => (type === RESPONSE_TEXT ? delta : '')).join('')
    const ending = stored.at(-1)?.type === 'finish' ? 'response.completed' : 'response.failed'
    if (told !== text) faults.push('the response that is resumed has another text')
    if (frames.at(-1)?.type !== ending) faults.push(`the response ends with ${frames.at(-1)?.type}`)
    return faults
  }
  const { messages, run } = await server.conversation(conversationId)
  const answer = messages.filter(({ role }) => role === 'assistant').at(-1)
  const shown = answer?.parts.map((part) => part.text ?? '').join('') ?? ''
  if (shown !== text) faults.push(`the history has ${shown.length} of ${text.length} characters`)
  if (run) faults.push(`the conversation still has a run that is ${run.status}`)
  return faults
}

const RESPONSE_TEXT = 'response.output_text.delta'
