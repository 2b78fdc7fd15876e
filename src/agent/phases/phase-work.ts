import type { AskedFeature, FeatureHooks, Sink } from '@braidwork/core/internal'
import {
  type HookRequest,
  HostError,
  type RunEventBody,
  type RunPhase,
  type RunSnapshot,
} from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Declarations } from './declarations.ts'
import { type CheckedAnswer, checkAnswer } from './phase-answer.ts'
import type { RunState, StateUpdate } from './run-state.ts'

/** How often the actions of a phase may schedule further ones. AW-62 */
const MOST_ROUNDS = 16

export interface PhaseWorkParts {
  readonly features: FeatureHooks
  readonly declarations: Declarations
  readonly state: RunState
  readonly phase: RunPhase
  /** The hook of the phase. */
  readonly hook: string
  readonly snapshotFor: (plugin: string) => RunSnapshot
  readonly sink: Sink<readonly RunEventBody[]>
  /** Tells a change of the state. @param plugins the features that changed it */
  readonly committed: (plugins: readonly string[]) => RunEventBody
}

/** A hook to ask in a phase. `key` is that of an action. */
interface Asking extends Pick<AskedFeature, 'name' | 'ask'> {
  readonly key?: string
}

/** The work of one phase: its hooks, then what they scheduled. AW-61, AW-62 */
export class PhaseWork {
  readonly #parts: PhaseWorkParts

  constructor(parts: PhaseWorkParts) {
    this.#parts = parts
  }

  /**
   * Asks the hooks and then runs actions until none is left. Returns all answers.
   * @throws {HostError} as the hooks do; HOOK_ANSWER_INVALID, PHASE_LOOP_EXCEEDED
   */
  async run(hooks: readonly AskedFeature[]): Promise<readonly CheckedAnswer[]> {
    const all: CheckedAnswer[] = []
    let asked: readonly Asking[] = hooks
    for (let round = 0; asked.length > 0; round++) {
      if (round > MOST_ROUNDS) throw loopExceeded(this.#parts.phase, asked)
      const answers = await this.#commitAll(asked)
      all.push(...answers)
      const actions = answers.flatMap(({ actions = [] }) => actions)
      asked = actions.map((action) => this.#handler('handleAction', action))
    }
    return all
  }

  /**
   * Asks hooks together, on one snapshot, and commits their updates together. Where two write the same exclusive key,
   * the hooks from the second on are asked again, on the new snapshot.
   */
  async #commitAll(asked: readonly Asking[]): Promise<readonly CheckedAnswer[]> {
    const all: CheckedAnswer[] = []
    for (let waiting = asked; waiting.length > 0; ) {
      const answers = await Promise.all(waiting.map((one) => this.#answerOf(one)))
      const count = this.#batchOf(answers)
      const batch = answers.slice(0, count).filter((answer) => answer !== undefined)
      await this.#commit(batch)
      all.push(...batch)
      waiting = waiting.slice(count)
    }
    return all
  }

  /** How many answers can be committed together, at least one. */
  #batchOf(answers: readonly (CheckedAnswer | undefined)[]): number {
    const written = new Set<string>()
    for (const [index, answer] of answers.entries()) {
      const keys = this.#parts.state.exclusiveOf(answer?.state ?? {})
      if (keys.some((key) => written.has(key))) return index
      for (const key of keys) written.add(key)
    }
    return answers.length
  }

  /** A hook that fails ends the run; an action that fails is recorded. AW-69 */
  async #answerOf({ name, ask, key }: Asking): Promise<CheckedAnswer | undefined> {
    const asking = async () => {
      const answer = await ask(this.#parts.snapshotFor(name))
      const hook = key === undefined ? this.#parts.hook : 'handleAction'
      return answer && checkAnswer({ plugin: name, hook }, answer, this.#parts)
    }
    return key === undefined ? asking() : this.#recorded({ name, key }, asking)
  }

  async #commit(batch: readonly CheckedAnswer[]): Promise<void> {
    const { state, sink, committed } = this.#parts
    const updates = batch
      .map(({ plugin, state: values = {} }): StateUpdate => ({ plugin, values }))
      .filter(({ values }) => Object.keys(values).length > 0)
    if (updates.length > 0) {
      state.commit(updates)
      await sink([committed(updates.map(({ plugin }) => plugin))])
    }
    for (const effect of batch.flatMap(({ effects = [] }) => effects)) {
      const { name, ask } = this.#handler('handleEffect', effect)
      await this.#recorded({ name, key: effect.key }, () => ask(this.#parts.snapshotFor(name)))
    }
  }

  /** The handler of an action or an effect, which need not be active. AW-65 */
  #handler(hook: 'handleAction' | 'handleEffect', { key, input }: HookRequest): Required<Asking> {
    const { features, declarations } = this.#parts
    const owners = hook === 'handleAction' ? declarations.actions : declarations.effects
    const name = owners.get(key)?.plugin ?? ''
    const ask: AskedFeature['ask'] = async (snapshot) => {
      const handler = features.handling(hook).find((feature) => feature.name === name)
      if (!handler) throw new TypeError(`the feature "${name}" has no hook "${hook}"`)
      return handler.ask(key, input, snapshot)
    }
    return { name, key, ask }
  }

  /** Records a failure of an action or an effect as an event, and goes on. */
  async #recorded<T>(
    { name: plugin, key }: { readonly name: string; readonly key: string },
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const { sink, phase } = this.#parts
    try {
      return await work()
    } catch (error) {
      if (HostError.is(error) && error.code === 'ABORTED') throw error
      await sink([{ type: 'hook-fault', phase, plugin, key, message: messageOf(error) }])
      return undefined
    }
  }
}

function loopExceeded(phase: RunPhase, asked: readonly Asking[]): HostError {
  const keys = [...new Set(asked.map(({ key }) => `"${key}"`))].join(', ')
  const message = `In the phase "${phase}", actions have scheduled actions ${MOST_ROUNDS} times; ${keys} would be next. Let them stop.`
  return new HostError('PHASE_LOOP_EXCEEDED', message)
}
