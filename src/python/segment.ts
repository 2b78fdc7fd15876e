import { answerReader, type HookFrame, hookError } from '@braidwork/core/internal'
import { type ActionContext, HostError, type State } from '@braidwork/plugin'
import type { Answered, InterpreterLife } from './interpreter-life.ts'
import { type HookTurn, turnOf } from './main-thread.ts'
import { NotBegun } from './not-begun.ts'
import { PythonError, type PythonFault } from './python-error.ts'
import type { PythonPlugin } from './python-plugin.ts'
import type { Changes, Session } from './session.ts'
import { Waits } from './waits.ts'

export type ChunkHookName = 'processChunk' | 'fromNative'
export type List = readonly unknown[]
export type ChunkResult = readonly [partials: List, finals: List, native: unknown, state: State]

/** One plugin's step in the processing of a chunk. */
export interface Stage {
  readonly plugin: PythonPlugin
  readonly frame: HookFrame
  readonly hook: ChunkHookName
}

/** The result for one chunk, as it is transferred. */
interface Came extends Changes {
  readonly p: List
  readonly f?: List
  /** The core partials, if they were requested too. */
  readonly k?: List
}

/** The chunks to transfer, with native and state before them. */
interface Asked {
  readonly chunks: readonly List[]
  readonly native?: unknown
  readonly state?: State | undefined
}

type ChunkOutcome = ChunkResult | Error
type Read<T> = (error: Error | undefined, came: readonly Came[]) => T

const NOTHING: List = Object.freeze([])

let segments = 0

/** Adjacent stages in one interpreter. One round trip processes one chunk, or several. */
export class Segment {
  readonly #number = ++segments
  readonly #stages: readonly [Stage, ...Stage[]]
  readonly #isFirst: boolean
  /** Whether the partials are those of the provider, and not events. */
  readonly #isApart: boolean
  /** The time limit of a round trip, in seconds. */
  readonly #seconds: number
  /** Whether the hooks are async in Python. Either all are or none. */
  readonly #isAsync: boolean
  readonly #waits: Waits
  /** Core events by the partials that they were made from, converted in the same round trip. */
  readonly #cores = new WeakMap<List, List>()
  #session: Session | undefined
  #turn: HookTurn | undefined
  #announced: List = NOTHING
  #outcomes: ChunkOutcome[] = []

  constructor(stages: readonly [Stage, ...Stage[]], isApart: boolean) {
    this.#isApart = isApart
    const [{ plugin, frame, hook }] = stages
    this.#stages = stages
    this.#seconds = secondsOf(stages)
    this.#isFirst = hook === 'processChunk' && plugin.description.kind === 'provider'
    this.#isAsync = modeOf(stages[0]) === 'async'
    this.#waits = new Waits({
      seconds: this.#seconds,
      limit: 'process_chunk',
      signal: frame.signal,
      toError: (error) => this.#errorOf(error),
      begun: () => this.#turn?.since ?? 0,
    })
  }

  readonly announce = (chunks: List): void => {
    this.#announced = chunks
    this.#outcomes = []
  }

  /** Acts as `processChunk` of the provider or of an extension. */
  readonly step = (...args: unknown[]): ChunkResult | Promise<ChunkResult> => {
    // This chunk arrived together with an earlier one, and its result is already here.
    if (this.#outcomes.length > 0) return this.#nextStep()
    const [native, state] = args.slice(-2)
    const asked = { chunks: this.#chunksOf(args), native, state: state as State }
    return this.#cross(asked, (error, came) => {
      this.#take(error, came)
      return this.#nextStep()
    })
  }

  /** Acts as `fromNative` of extensions for partials. */
  readonly toCore = (partials: unknown, core: unknown): List | Promise<List> => {
    const known = this.#cores.get(partials as List)
    if (known) return known
    return this.#cross({ chunks: [[core, partials]] }, (error, came) => {
      if (error) throw this.#errorOf(error)
      return came[0]?.k ?? NOTHING
    })
  }

  #chunksOf(args: List): readonly List[] {
    if (this.#announced.length > 0) {
      const all = this.#announced
      this.#announced = NOTHING
      return all.map((one) => [one])
    }
    if (this.#isFirst) return [[args[0]]]
    const [chunk, partials, finals] = args as [unknown, List, List]
    const isBare = partials.length === 1 && partials[0] === chunk && finals.length === 0
    return [isBare ? [chunk] : [chunk, partials, finals]]
  }

  #nextStep(): ChunkResult {
    const outcome = this.#outcomes.shift()
    if (outcome && !(outcome instanceof Error)) return outcome
    throw outcome ?? new TypeError('Python answered for fewer chunks than it was given.')
  }

  /** Stores the results: those of the chunks before a failure, then the error. */
  #take(error: Error | undefined, came: readonly Came[]): void {
    for (const one of error ? doneBefore(error) : came) {
      const mirror = this.#session?.take(0, one)
      if (one.k) this.#cores.set(one.p, one.k)
      if (mirror) this.#outcomes.push([one.p, one.f ?? [], mirror.native, mirror.state])
    }
    if (error) this.#outcomes.push(this.#errorOf(error))
  }

  #cross<T>(asked: Asked, read: Read<T>): Promise<T> {
    const { interpreter } = this.#stages[0].plugin
    return this.#waits.wait<T>((settle) => {
      const askLater = (): void =>
        void interpreter
          .living()
          .then((life) => this.#ask(life, asked, answered))
          .catch(answered)
      const answered: Answered = (error, answer) => {
        if (error instanceof NotBegun) {
          askLater()
          return
        }
        // Plugins may keep a part of an answer in themselves, between its chunks.
        if (this.#session) this.#session.keeps = true
        const fault = error ?? this.#emitFault()
        settle(() => read(fault, (answer?.['val'] ?? NOTHING) as readonly Came[]))
      }
      if (interpreter.ready) this.#ask(interpreter.ready, asked, answered)
      else askLater()
    })
  }

  #ask(life: InterpreterLife, asked: Asked, answered: Answered): void {
    const [{ plugin, frame }] = this.#stages
    plugin.requests.count(asked.chunks.length * this.#stages.length)
    const json = this.#jsonOf(life, asked)
    const keeping = this.#session as Session
    const turn = turnOf(this.#seconds, this.#isAsync)
    this.#turn = turn
    life.ask('chunks', json, { turn, keeping, signal: frame.signal }, answered)
  }

  #jsonOf(life: InterpreterLife, { chunks, native, state }: Asked): string {
    const known = this.#session?.life === life ? this.#session : undefined
    const session = known ?? this.#open(life)
    const changes = session.changes(0, native, state)
    const more = known ? changes : { ...changes, q: this.#told(session, life) }
    const head = `"s":${session.number},"i":${this.#number},"t":${this.#seconds}`
    const told = more ? JSON.stringify(more).slice(1, -1) : ''
    return `{${head},${told}${told && ','}"b":${JSON.stringify(chunks)}}`
  }

  #open(life: InterpreterLife): Session {
    const [{ plugin, frame }] = this.#stages
    const session = plugin.requests.sessionOf(frame.context as ActionContext, plugin, life)
    this.#session = session
    session.atEnd(() => this.#waits.end())
    return session
  }

  /** The stages as sent: the plugin's number, the hook, and the context for hooks that take it. */
  #told(session: Session, life: InterpreterLife): readonly List[] {
    return this.#stages.map(({ plugin, frame, hook }) => {
      const takesContext = plugin.description.hooks[hook]?.context === true
      const context = takesContext ? session.contextOf(frame.context as ActionContext) : null
      return [plugin.numberIn(life), hook, context]
    })
  }

  /** The fault of an event that one of the hooks emitted, if any. */
  #emitFault(): Error | undefined {
    const { contexts } = this.#stages[0].plugin.requests
    if (!contexts.hasFaults) return undefined
    for (const { frame, hook } of this.#stages) {
      const fault = contexts.faultOf(frame.context as ActionContext)
      if (fault) return hookError(frame, hook, fault)
    }
    return undefined
  }

  /** The error with the name of the hook that raised it; if it concerns all hooks, the first one's. */
  #errorOf(error: unknown): Error {
    const fault: PythonFault = error instanceof PythonError ? error.fault : {}
    const stage = this.#stages[fault.stage ?? 0] ?? this.#stages[0]
    const stray = this.#isApart || fault.code ? undefined : this.#stages[fault.stray ?? -1]
    if (stray) return strayError(stray, hookError(stage.frame, stage.hook, error))
    return hookError(
      stage.frame,
      stage.hook,
      'answer' in fault ? answerError(stage, fault.answer) : error,
    )
  }
}

/** The error of a stage whose answer has a value that is no event, over which a later stage failed. */
function strayError({ frame, hook }: Stage, later: Error): Error {
  const giver = `Hook "${hook}" of "${frame.plugin.name}"`
  const said = `${giver} returned a value that is not an event. Then: ${later.message}`
  return hookError(frame, hook, new HostError('EVENTS_INVALID', said))
}

function answerError({ hook }: Stage, answer: unknown): unknown {
  try {
    answerReader(hook === 'fromNative' ? 'list' : 'step')(answer)
    return new TypeError('Python rejected a valid hook result.')
  } catch (error) {
    return error
  }
}

/** The mode in which a stage's hook runs. */
export function modeOf({ plugin, hook }: Stage): string | undefined {
  return plugin.description.hooks[hook]?.mode
}

/** The results of the chunks before the one that failed. */
function doneBefore(error: Error): readonly Came[] {
  return error instanceof PythonError ? ((error.fault.done ?? []) as readonly Came[]) : []
}

/** The time limit in seconds: for `fromNative` if all stages are that hook, otherwise for `processChunk`. */
function secondsOf(stages: readonly [Stage, ...Stage[]]): number {
  const [{ frame }] = stages
  const { hook, process_chunk } = frame.limits
  return stages.every((stage) => stage.hook === 'fromNative') ? hook : process_chunk
}
