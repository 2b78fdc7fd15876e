import { type ActionContext, HostError, type Kind } from '@braidwork/plugin'
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

/** The plugin whose hook runs. */
interface Asking {
  readonly interpreter: Interpreter
  readonly description: { readonly kind: Kind }
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
    interpreter.on('kept', this.contexts.onKept)
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
   * The data that an interpreter keeps for a context's request. If its process has ended, another one goes on.
   * @throws {HostError} PYTHON_CRASHED if plugins kept data in the process that has ended
   */
  sessionOf(
    context: ActionContext,
    { interpreter, description }: Asking,
    life: InterpreterLife,
  ): Session {
    const scope = context[SCOPE]?.()
    const key = scope ?? context.signal
    const known = this.#sessions.get(key) ?? new Map<Interpreter, Session>()
    this.#sessions.set(key, known)
    const session = known.get(interpreter)
    if (session?.life === life) return session
    if (session?.keeps) throw lost(description.kind)
    const opened = new Session(life, this.contexts)
    known.set(interpreter, opened)
    scope?.addEventListener('abort', () => opened.end(), { once: true })
    return opened
  }
}

/** Another request gets new data. The tools of an opened config, and so of a run, share the same data to its end. */
function lost(kind: Kind): HostError {
  const [whole, advice] =
    kind === 'tool'
      ? ['run', 'no call of its tools in this run can succeed, but those of another run can']
      : ['request', 'try it again']
  return new HostError(
    'PYTHON_CRASHED',
    `its Python interpreter ended during the ${whole}, and the data that it kept for the ${whole} is lost; ${advice}`,
    { retryable: kind !== 'tool' },
  )
}
