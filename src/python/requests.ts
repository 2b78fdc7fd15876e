import { type ActionContext, HostError } from '@braidwork/plugin'
import { SCOPE } from '@braidwork/plugin/internal'
import type { Interpreter } from './interpreter.ts'
import type { InterpreterLife } from './interpreter-life.ts'
import { Contexts, Session } from './session.ts'

/** Counters of the traffic with Python. */
export interface Counts {
  /** Round trips. */
  crossings: number
  /** Hooks that ran in Python. */
  hooks: number
}

/** Data shared by the Python plugins of one host: contexts, sessions and counters. */
export class Requests {
  readonly contexts = new Contexts()
  readonly counts: Counts = { crossings: 0, hooks: 0 }
  /** Sessions by an object that lives as long as the request. */
  readonly #sessions = new WeakMap<object, Map<Interpreter, Session>>()

  /** Handles the messages that an interpreter's plugins send through their contexts. */
  listen(interpreter: Interpreter): void {
    interpreter.on('log', this.contexts.onLog)
    interpreter.on('warn', this.contexts.onWarn)
    interpreter.on('emit', this.contexts.onEmit)
    interpreter.on('upstream', this.contexts.onUpstreamId)
    interpreter.on('report', this.contexts.onReport)
    interpreter.on('ask', this.contexts.onAsk)
  }

  /** Counts a round trip in which this many hooks ran. */
  count(hooks = 1): void {
    this.counts.crossings += 1
    this.counts.hooks += hooks
  }

  /**
   * The data that an interpreter keeps for a context's request.
   * @throws {HostError} PYTHON_CRASHED if the process with the data has ended
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
    'its Python interpreter ended during the request, and the data that it kept for the request is lost',
    { retryable: true },
  )
}
