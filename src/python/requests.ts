import { type ActionContext, HostError } from '@braidwork/plugin'
import { SCOPE } from '@braidwork/plugin/internal'
import type { Interpreter } from './interpreter.ts'
import type { InterpreterLife } from './interpreter-life.ts'
import { Contexts, Session } from './session.ts'

/** What crossed. */
export interface Counts {
  /** Messages there and back. */
  crossings: number
  /** Hooks that ran in Python. */
  hooks: number
}

/** What the plugins of one host share: contexts that Python may speak of, sessions, counts. */
export class Requests {
  readonly contexts = new Contexts()
  readonly counts: Counts = { crossings: 0, hooks: 0 }
  /** By what lives as long as a request does. */
  readonly #sessions = new WeakMap<object, Map<Interpreter, Session>>()

  /** Listens to what an interpreter's plugins say of their contexts. */
  listen(interpreter: Interpreter): void {
    interpreter.on('log', this.contexts.onLog)
    interpreter.on('warn', this.contexts.onWarn)
    interpreter.on('emit', this.contexts.onEmit)
    interpreter.on('ask', this.contexts.onAsk)
  }

  /** A crossing, in which so many hooks ran. */
  count(hooks = 1): void {
    this.counts.crossings += 1
    this.counts.hooks += hooks
  }

  /**
   * What an interpreter keeps for the request of a context.
   * @throws {HostError} PYTHON_CRASHED, where the one that kept it has ended
   */
  sessionOf(context: ActionContext, interpreter: Interpreter, life: InterpreterLife): Session {
    const scope = context[SCOPE]?.()
    const key = scope ?? context.signal
    const known = this.#sessions.get(key) ?? new Map<Interpreter, Session>()
    this.#sessions.set(key, known)
    const session = known.get(interpreter)
    if (session?.life === life) return session
    if (session?.isUsed) throw lost()
    const opened = new Session(life, this.contexts)
    known.set(interpreter, opened)
    scope?.addEventListener('abort', () => opened.end(), { once: true })
    return opened
  }
}

function lost(): HostError {
  return new HostError(
    'PYTHON_CRASHED',
    'its Python interpreter ended while the request ran, and what it kept for the request is gone',
    { retryable: true },
  )
}
