import { recordedView } from '@braidwork/core/internal'
import {
  type ActionContext,
  type ContextReport,
  HostError,
  type PartialEvent,
  type State,
} from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { InterpreterLife } from './interpreter-life.ts'
import type { Message } from './pythonia.ts'
import { LEVELS } from './records.ts'

/** Native and state as last sent to the Python side. */
interface Mirror {
  native: unknown
  state: State
}

/** The changes since the last message. Both sides use these short names. */
export interface Changes {
  /** The native request, if it was replaced. */
  n?: unknown
  /** State values that are different objects than before, by key. */
  u?: { [key: string]: unknown }
  /** State keys that were removed. */
  g?: string[]
}

const NO_STATE: State = Object.freeze({})

let numbers = 0

/** The data of one request that the plugins of one interpreter share. */
export class Session {
  readonly number = ++numbers
  readonly life: InterpreterLife
  /** Whether the Python side keeps data for it that another interpreter would lack. */
  keeps = false
  readonly #mirrors = new Map<number, Mirror>()
  readonly #numbers = new Map<object, number>()
  readonly #locals = new Map<unknown, number>()
  readonly #known: Contexts
  readonly #unlink: (() => void)[] = []

  constructor(life: InterpreterLife, contexts: Contexts) {
    this.life = life
    this.#known = contexts
  }

  /** A context for sending: in full the first time, later only its number. */
  contextOf(context: ActionContext): number | object {
    const known = this.#numbers.get(context)
    if (known !== undefined) return known
    const id = this.#known.add(context, this)
    this.#numbers.set(context, id)
    this.#link(id, context.signal)
    const local = this.#locals.get(context.local) ?? this.#locals.size + 1
    this.#locals.set(context.local, local)
    const { phase, modelInfo, requestId, conversationId, runId, caller } = context
    const watched = recordedView(context.config)
    const config = watched?.value ?? context.config
    const ids = { requestId, conversationId, runId, caller }
    const aborted = context.signal.aborted
    const told = { id, local, phase, config, tags: [...context.tags], modelInfo, aborted, ...ids }
    return watched ? { ...told, watched: true } : told
  }

  /** The changes of native and state to send before a call. `owner` is 0 except for tools. */
  changes(owner: number, native: unknown, state: State | undefined): Changes | undefined {
    const mirror = this.#mirrorOf(owner)
    const isNative = native !== undefined && native !== mirror.native
    const isState = state !== undefined && state !== mirror.state
    if (!isNative && !isState) return undefined
    const changes: Changes = {}
    if (isNative) changes.n = mirror.native = native
    if (isState) {
      tellState(mirror.state, state, changes)
      mirror.state = state
    }
    return changes
  }

  /** Native and state after an answer. Unchanged values are the same objects as before. */
  take(owner: number, { n, u, g }: Changes): Readonly<Mirror> {
    const mirror = this.#mirrorOf(owner)
    if (n !== undefined) mirror.native = n
    if (u !== undefined || g !== undefined) {
      const gone = new Set(g)
      const kept = Object.entries(mirror.state).filter(([key]) => !gone.has(key))
      mirror.state = { ...Object.fromEntries(kept), ...u }
    }
    return mirror
  }

  /** Runs a function when the request is over. */
  atEnd(act: () => void): void {
    this.#unlink.push(act)
  }

  end(): void {
    for (const unlink of this.#unlink) unlink()
    this.#known.remove(this.#numbers.values())
    if (!this.life.isDead) this.life.tell('close', { s: this.number })
  }

  #mirrorOf(owner: number): Mirror {
    const known = this.#mirrors.get(owner)
    if (known) return known
    const mirror = { native: undefined, state: NO_STATE }
    this.#mirrors.set(owner, mirror)
    return mirror
  }

  #link(id: number, signal: AbortSignal): void {
    const onAbort = () => {
      const reason = typeof signal.reason === 'string' ? signal.reason : 'cancelled'
      this.life.tell('abort', { s: this.number, k: id, reason })
    }
    signal.addEventListener('abort', onAbort, { once: true })
    this.#unlink.push(() => signal.removeEventListener('abort', onAbort))
  }
}

function tellState(before: State, after: State, changes: Changes): void {
  for (const key of Object.keys(after)) {
    if (before[key] === after[key] && Object.hasOwn(before, key)) continue
    changes.u ??= {}
    Object.defineProperty(changes.u, key, { value: after[key], enumerable: true })
  }
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  if (gone.length > 0) changes.g = gone
}

interface Known {
  readonly context: ActionContext
  readonly session: Session
}

/** The contexts of all requests that the Python side may refer to. */
export class Contexts {
  readonly #contexts = new Map<number, Known>()
  readonly #faults = new Map<ActionContext, HostError>()
  #numbers = 0

  add(context: ActionContext, session: Session): number {
    this.#contexts.set(++this.#numbers, { context, session })
    return this.#numbers
  }

  remove(numbers: Iterable<number>): void {
    for (const number of numbers) {
      const known = this.#contexts.get(number)
      if (known) this.#faults.delete(known.context)
      this.#contexts.delete(number)
    }
  }

  get hasFaults(): boolean {
    return this.#faults.size > 0
  }

  /** The fault of an event or a report of a hook with this context. It is returned only once. */
  faultOf(context: ActionContext | undefined): HostError | undefined {
    if (!context || this.#faults.size === 0) return undefined
    const fault = this.#faults.get(context)
    this.#faults.delete(context)
    return fault
  }

  readonly onLog = (message: Message): void => {
    const level = LEVELS.find((known) => known === message['l']) ?? 'info'
    this.#of(message)?.context.log({ level, message: String(message['d']) })
  }

  readonly onWarn = (message: Message): void => {
    this.#of(message)?.context.warn(String(message['d']))
  }

  readonly onKept = (message: Message): void => {
    const known = this.#of(message)
    if (known) known.session.keeps = true
  }

  readonly onUpstreamId = (message: Message): void => {
    this.#of(message)?.context.noteUpstreamId(String(message['d']))
  }

  readonly onEmit = (message: Message): void => {
    this.#tell(message, (context) => context.emit(message['d'] as PartialEvent))
  }

  readonly onReport = (message: Message): void => {
    this.#tell(message, (context) => context.report(message['d'] as ContextReport))
  }

  /** Executes a call to the plugin's storage. */
  readonly onAsk = (message: Message): void => {
    const { i } = message
    const known = this.#of(message)
    if (!known) return
    askStorage(known.context, message).then(
      (value) => known.session.life.tell('ret', { i, val: value ?? null }),
      (error: unknown) => known.session.life.tell('ret', { i, err: String(error) }),
    )
  }

  // Python does not wait for an answer, so the host's error is kept and thrown after the hook has answered.
  #tell(message: Message, act: (context: ActionContext) => void): void {
    const context = this.#of(message)?.context
    if (!context) return
    try {
      act(context)
    } catch (error) {
      if (!this.#faults.has(context)) this.#faults.set(context, toHostError(error))
    }
  }

  #of(message: Message): Known | undefined {
    return this.#contexts.get(Number(message['k']))
  }
}

async function askStorage({ storage }: ActionContext, message: Message): Promise<unknown> {
  const [key, value] = message['a'] as readonly [unknown, unknown]
  switch (message['m']) {
    case 'get':
      return storage.get(String(key))
    case 'set':
      return storage.set(String(key), value)
    case 'list':
      return storage.list(String(key))
    case 'delete':
      return storage.delete(String(key))
    default:
      throw new HostError('HOOK_FAILED', `storage has no method "${String(message['m'])}"`)
  }
}
