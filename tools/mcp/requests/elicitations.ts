import { Problem } from '../problem.ts'
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from './server-questions.ts'
import type { SessionCall } from './session-call.ts'

/** Finds the call that a server's question belongs to. */
export class Elicitations {
  readonly #calls = new Set<SessionCall>()

  /** A call that runs, and may lead to questions until it is disposed. */
  expect(call: SessionCall): Disposable {
    this.#calls.add(call)
    return { [Symbol.dispose]: () => void this.#calls.delete(call) }
  }

  /**
   * Asks the person whose call runs. Before 2026-07-28, a question does not say which call it belongs to. It is not one
   * that waits for an answer already; while calls of several other runs go on, nobody is asked.
   */
  ask(elicitation: Elicitation): Promise<ElicitationAnswer> {
    return this.#asking?.ask(elicitation) ?? Promise.resolve({ action: 'cancel' })
  }

  /** Asks the model for the call that runs. @throws {Problem} if nobody knows which it is, or the request is refused */
  async sample(request: SamplingRequest): Promise<SamplingAnswer> {
    const call = this.#asking
    if (call) return call.sample(request)
    throw new Problem(
      'Sampling is refused: several calls run, and the request may be of any of them.',
    )
  }

  /** The call that a request of the server belongs to. Undefined if it may be one of several runs. */
  get #asking(): SessionCall | undefined {
    const working = [...this.#calls].filter(({ isWaiting }) => !isWaiting)
    const calls = working.length > 0 ? working : [...this.#calls]
    const owners = new Set(calls.map(({ owner }) => owner))
    return owners.size > 1 ? undefined : calls.at(-1)
  }
}
