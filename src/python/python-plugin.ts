import { BEGUN, PYTHON, recordedView, SETTINGS_CHECK } from '@braidwork/core/internal'
import {
  type ActionContext,
  type Config,
  type HookName,
  HostError,
  type Limits,
  type State,
} from '@braidwork/plugin'
import { type AnyPlugin, DEFAULT_LIMITS, limitOf, limitsOf } from '@braidwork/plugin/internal'
import type { Description } from './describe-plugin.ts'
import { cannotRun, enablement } from './enablement.ts'
import { argumentsOf, CHECK_SETTINGS, givesOf } from './hook-tables.ts'
import type { Interpreter } from './interpreter.ts'
import type { Answer, InterpreterLife, RequestOptions } from './interpreter-life.ts'
import { type HookTurn, turnOf } from './main-thread.ts'
import { NotBegun } from './not-begun.ts'
import type { Requests } from './requests.ts'
import type { Changes, Session } from './session.ts'
import { settingsCheck } from './settings-check.ts'

/** A Python plugin: its description from loading, and its interpreter. */
export class PythonPlugin {
  readonly description: Description
  readonly interpreter: Interpreter
  readonly requests: Requests
  /** The path of its module. */
  readonly entry: string
  readonly #hooks = new Map<HookName, (...args: unknown[]) => Promise<unknown>>()
  readonly #numbers = new WeakMap<InterpreterLife, number | HostError>()

  constructor(
    { description, entry }: Pick<PythonPlugin, 'description' | 'entry'>,
    interpreter: Interpreter,
    requests: Requests,
  ) {
    this.description = description
    this.entry = entry
    this.interpreter = interpreter
    this.requests = requests
  }

  /** Stores the number under which a process loaded the plugin, or the error if it could not. */
  setNumber(life: InterpreterLife, number: number | HostError): void {
    this.#numbers.set(life, number)
  }

  /** @throws {HostError} PLUGIN_INVALID if a restarted process could not load it */
  numberIn(life: InterpreterLife): number {
    const number = this.#numbers.get(life)
    if (typeof number === 'number') return number
    throw number ?? new HostError('PLUGIN_INVALID', 'it was not loaded')
  }

  /** The function that represents a hook; always the same function. */
  hookOf(hook: HookName): (...args: unknown[]) => Promise<unknown> {
    const known = this.#hooks.get(hook) ?? ((...args: unknown[]) => this.call(hook, args))
    this.#hooks.set(hook, known)
    return known
  }

  /**
   * Calls a hook. If the hook takes the context, it is the last argument. The time limit does not include the wait for
   * other hooks.
   */
  call(hook: HookName, args: readonly unknown[]): Promise<unknown> {
    const call = new HookCall(this, hook, args)
    return Object.assign(this.#run(call), { [BEGUN]: () => call.begun })
  }

  async #run(call: HookCall): Promise<unknown> {
    const { kind, name } = this.description
    for (;;) {
      const { refusal } = this.interpreter
      // The path of its module is not for a model or a client, who may read the error of a hook.
      if (refusal) throw cannotRun(`the ${kind} "${name}"`, refusal)
      const life = await this.interpreter.living()
      try {
        return await call.run(life)
      } catch (error) {
        // The process ended before the hook began, so the next process can run it.
        if (!(error instanceof NotBegun)) throw error
      }
    }
  }
}

/** One call of one hook. */
class HookCall {
  readonly #plugin: PythonPlugin
  readonly #hook: HookName
  readonly #args: readonly unknown[]
  readonly #codes: string
  readonly #context: ActionContext | undefined
  #turn: HookTurn | undefined

  constructor(plugin: PythonPlugin, hook: HookName, args: readonly unknown[]) {
    this.#plugin = plugin
    this.#hook = hook
    this.#args = args
    this.#codes = argumentsOf(hook, plugin.description.kind)
    this.#context = args[this.#codes.length] as ActionContext | undefined
  }

  /** When the hook began to run, by `performance.now()`; 0 before. */
  get begun(): number {
    return this.#turn?.since ?? 0
  }

  async run(life: InterpreterLife): Promise<unknown> {
    const { requests } = this.#plugin
    const number = this.#plugin.numberIn(life)
    const session = this.#context && requests.sessionOf(this.#context, this.#plugin, life)
    const owner = this.#plugin.description.kind === 'tool' ? number : 0
    const message = { p: number, h: this.#hook, ...this.#told(session, owner) }
    requests.count()
    const keeping = session ?? { keeps: false }
    const answer = await life
      .request('hook', message, { ...this.#options(), keeping })
      .catch((error: unknown) => {
        // A failed hook does not report its reads, so assume that it read everything.
        this.#noteReads([''])
        throw error
      })
    const fault = requests.contexts.faultOf(this.#context)
    if (fault !== undefined) throw fault
    if (answer['w']) this.#noteReads(answer['w'] as readonly string[])
    return this.#read(answer, session, owner)
  }

  #told(session: Session | undefined, owner: number) {
    const changes = session?.changes(owner, this.#at('n'), this.#at('s') as State | undefined)
    const takesContext = this.#plugin.description.hooks[this.#hook]?.context === true
    const known = takesContext && this.#context ? session?.contextOf(this.#context) : undefined
    return {
      a: this.#crossing(),
      t: this.#seconds(),
      ...(session ? { s: session.number, o: owner } : {}),
      ...changes,
      ...(known === undefined ? {} : { k: known }),
      ...(recordedView(this.#config) ? { w: 1 } : {}),
    }
  }

  /** The config argument. It may be a view that records reads. */
  get #config(): object {
    const { config } = this.#context ?? {}
    return (this.#at('f') as object | undefined) ?? config ?? {}
  }

  /** Records on the view the parts of the config that Python read. */
  #noteReads(pointers: readonly string[]): void {
    const view = recordedView(this.#config)
    for (const pointer of pointers) view?.recording.add(`${view.pointer}${pointer}`)
  }

  /** The arguments that the Python side does not know yet. */
  #crossing(): unknown[] {
    return [...this.#codes].flatMap((code, at) => {
      const value = this.#args[at]
      if (code === 'n' || code === 's') return []
      if (code === 'f') return [recordedView(value as object)?.value ?? value]
      if (code === 't') return [[...(value as ReadonlySet<string>)]]
      return [code === 'u' ? withTagList(value as { tags: ReadonlySet<string> }) : (value ?? null)]
    })
  }

  #at(code: string): unknown {
    return this.#args[this.#codes.indexOf(code)]
  }

  #options(): RequestOptions {
    const isPassing = this.#plugin.description.hooks[this.#hook]?.mode !== 'inline'
    this.#turn = turnOf(this.#seconds(), isPassing)
    return { turn: this.#turn, joins: this.#hook === 'stream', signal: this.#context?.signal }
  }

  #seconds(): number {
    const given = this.#context?.config ?? (this.#at('f') as Config | undefined)
    // Unwrap the view, so that the host's own read of the limits is not recorded.
    const config = (given && recordedView(given)?.value) ?? given
    const limits: Limits = config ? limitsOf(config) : DEFAULT_LIMITS
    return limits[limitOf(this.#hook)]
  }

  #read(answer: Answer, session: Session | undefined, owner: number): unknown {
    if (answer.stream) return answer.stream
    if ('none' in answer) return undefined
    if (!session || !('m' in answer)) return answer['val']
    const changes = answer['val'] as Changes & { readonly v: readonly unknown[] }
    const { native, state } = session.take(owner, changes)
    const values = changes.v.values()
    const parts = [...givesOf(this.#hook, this.#plugin.description.kind)].map((code) => {
      if (code === 'v') return values.next().value
      return code === 'n' ? native : state
    })
    return parts.length === 1 ? parts[0] : parts
  }
}

function withTagList(input: { readonly tags: ReadonlySet<string> }): object {
  return { ...input, tags: [...input.tags] }
}

/** Makes a plain host plugin whose hooks call the Python plugin. */
export function toHostPlugin(plugin: PythonPlugin): AnyPlugin {
  const { kind, name, values, hooks } = plugin.description
  const release = plugin.interpreter.use()
  const { [CHECK_SETTINGS as HookName]: check, ...own } = hooks
  const crossing = (Object.keys(own) as HookName[]).map((hook) => [hook, plugin.hookOf(hook)])
  return {
    ...values,
    ...(check
      ? { [SETTINGS_CHECK]: settingsCheck(plugin.hookOf(CHECK_SETTINGS as HookName)) }
      : {}),
    ...enablement(plugin),
    ...(Object.fromEntries(crossing) as object),
    kind,
    name,
    [PYTHON]: plugin,
    close: async () => {
      try {
        if (hooks.close) await plugin.call('close', [])
      } finally {
        await release()
      }
    },
  }
}
