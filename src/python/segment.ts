import {
  type ActionContext,
  bindJoined,
  type ChunkHook,
  type ChunkHooks,
  type HookFrame,
  limitsOf,
  readAnswer,
  STAGE,
  type State,
} from '../plugin/internal.ts'
import type { InterpreterLife } from './interpreter.ts'
import { PythonError, type PythonFault } from './python-error.ts'
import { PYTHON, type PythonPlugin } from './python-plugin.ts'
import type { Changes, Session } from './session.ts'

type ChunkHookName = 'processChunk' | 'fromNative'
type List = readonly unknown[]
type Step = readonly [partials: List, finals: List, native: unknown, state: State]

/** One plugin's part of what a chunk goes through. */
interface Stage {
  readonly plugin: PythonPlugin
  readonly frame: HookFrame
  readonly hook: ChunkHookName
}

/** What a chunk came to, as it crosses. */
interface Came extends Changes {
  readonly p: List
  readonly f: List
  /** The core partials, where they were asked for too. */
  readonly k?: List
}

type Outcome = { readonly step: Step } | { readonly error: Error }

interface Group<H extends ChunkHookName> {
  readonly hooks: readonly ChunkHook<H>[]
  /** None where it is one hook that is not to be joined. */
  readonly stages?: readonly Stage[]
}

let segments = 0

/** Neighbours of one interpreter on a chunk's way, crossed to once a chunk, or once for several chunks. */
class Segment {
  readonly #number = ++segments
  readonly #stages: readonly Stage[]
  readonly #isFirst: boolean
  /** What the partials that it gave are in core: asked for in the same crossing. */
  readonly #cores = new WeakMap<List, List>()
  #session: Session | undefined
  #announced: List = []
  #outcomes: Outcome[] = []

  constructor(steps: readonly Stage[], toCore: readonly Stage[]) {
    this.#stages = [...steps, ...toCore]
    this.#isFirst = steps[0]?.plugin.description.kind === 'provider'
  }

  readonly announce = (chunks: List): void => {
    this.#announced = chunks
    this.#outcomes = []
  }

  /** As `processChunk` of the provider, or of an extension. */
  readonly step = async (...args: unknown[]): Promise<Step> => {
    const [native, state] = args.slice(-2)
    if (this.#outcomes.length === 0) await this.#cross(this.#chunksOf(args), native, state as State)
    const outcome = this.#outcomes.shift()
    if (outcome && 'step' in outcome) return outcome.step
    throw outcome?.error ?? new TypeError('Python answered for fewer chunks than it was given.')
  }

  /** As `fromNative` of extensions, given partials. */
  readonly toCore = async (partials: unknown, core: unknown): Promise<unknown> => {
    const known = this.#cores.get(partials as List)
    if (known) return known
    const [came] = await this.#ask([[core, partials, []]], {})
    return came?.k ?? core
  }

  #chunksOf(args: List): readonly List[] {
    const [chunk, partials, finals] = args
    if (this.#announced.length > 0) {
      const all = this.#announced
      this.#announced = []
      return all.map((one) => (this.#isFirst ? [one, [], []] : [one, [one], []]))
    }
    return [this.#isFirst ? [chunk, [], []] : [chunk, partials, finals]]
  }

  async #cross(chunks: readonly List[], native: unknown, state: State): Promise<void> {
    try {
      this.#take(await this.#ask(chunks, { native, state }))
    } catch (error) {
      const fault = error instanceof PythonError ? error.fault : {}
      this.#take((fault.done ?? []) as readonly Came[])
      this.#outcomes.push({ error: this.#staged(error, fault) })
    }
  }

  #take(came: readonly Came[]): void {
    for (const one of came) {
      const mirror = this.#session?.take(0, one)
      if (one.k) this.#cores.set(one.p, one.k)
      if (mirror) this.#outcomes.push({ step: [one.p, one.f, mirror.native, mirror.state] })
    }
  }

  async #ask(
    chunks: readonly List[],
    known: { readonly native?: unknown; readonly state?: State },
  ): Promise<readonly Came[]> {
    const [{ plugin, frame }] = this.#stages as readonly [Stage, ...Stage[]]
    const { interpreter, requests } = plugin
    const life = await interpreter.living()
    const context = frame.context as ActionContext
    const session = requests.sessionOf(context, interpreter, life)
    const isNew = session !== this.#session
    this.#session = session
    const seconds = limitsOf(context.config).process_chunk
    const told = isNew ? { q: this.#told(session, life) } : {}
    const changes = session.changes(0, known.native, known.state)
    const message = {
      s: session.number,
      i: this.#number,
      b: chunks,
      t: seconds,
      ...told,
      ...changes,
    }
    requests.count(chunks.length * this.#stages.length)
    const answer = await life.request('chunks', message, { seconds })
    for (const one of this.#stages) {
      const fault = requests.contexts.faultOf(one.frame.context as ActionContext)
      if (fault) throw stageError(one, fault)
    }
    return answer['val'] as readonly Came[]
  }

  /** The stages: the plugin's number, the hook, and the context of those that take it. */
  #told(session: Session, life: InterpreterLife): readonly List[] {
    return this.#stages.map(({ plugin, frame, hook }) => {
      const takesContext = plugin.description.hooks[hook]?.context === true
      const context = takesContext ? session.contextOf(frame.context as ActionContext) : null
      return [plugin.numberIn(life), hook, context]
    })
  }

  #staged(error: unknown, fault: PythonFault): Error {
    const stage = this.#stages[fault.stage ?? -1]
    if (!stage) return error as Error
    return stageError(stage, 'answer' in fault ? answerError(stage, fault.answer) : error)
  }
}

function stageError({ frame, hook }: Stage, cause: unknown): Error {
  return Object.assign(new Error('a stage failed', { cause }), { [STAGE]: { frame, hook } })
}

function answerError({ hook }: Stage, answer: unknown): unknown {
  try {
    readAnswer(hook === 'fromNative' ? 'list' : 'step', answer)
    return new TypeError('Python refused an answer that is one.')
  } catch (error) {
    return error
  }
}

/** A chunk's hooks, neighbours of one interpreter joined: one crossing each, and one for both kinds where nothing runs between. */
export function joinChunkHooks({ steps, toCore, isApart }: ChunkHooks): ChunkHooks {
  const stepGroups = groupsOf(steps, 'processChunk')
  const coreGroups = groupsOf(toCore, 'fromNative')
  const last = stepGroups.at(-1)?.stages
  const [first] = coreGroups
  const isOne = !isApart && isShared(last, first?.stages)
  const segmentsOfSteps = stepGroups.map(({ stages }) => {
    return stages && new Segment(stages, isOne && stages === last ? (first?.stages ?? []) : [])
  })
  const linked = isOne ? segmentsOfSteps.at(-1) : undefined
  const isWhole = stepGroups.length === 1 && coreGroups.length === (linked ? 1 : 0) && !isApart
  return {
    steps: stepGroups.flatMap(({ hooks }, at) =>
      joined(hooks, 'processChunk', segmentsOfSteps[at]?.step),
    ),
    toCore: coreGroups.flatMap(({ hooks, stages }, at) => {
      const segment = at === 0 && linked ? linked : stages && new Segment([], stages)
      return joined(hooks, 'fromNative', segment?.toCore)
    }),
    isApart,
    ...(isWhole && segmentsOfSteps[0] ? { announce: segmentsOfSteps[0].announce } : {}),
  }
}

function groupsOf<H extends ChunkHookName>(hooks: readonly ChunkHook<H>[], name: H): Group<H>[] {
  const groups: Group<H>[] = []
  for (const one of hooks) {
    const stage = stageOf(one, name)
    const group = groups.at(-1)
    if (stage && group && isShared(group.stages, [stage])) {
      groups[groups.length - 1] = {
        hooks: [...group.hooks, one],
        stages: [...(group.stages ?? []), stage],
      }
    } else groups.push(stage ? { hooks: [one], stages: [stage] } : { hooks: [one] })
  }
  return groups
}

/** A hook that runs on the main thread of its interpreter, and is what the plugin was loaded with. */
function stageOf(
  { plugin, frame }: ChunkHook<ChunkHookName>,
  hook: ChunkHookName,
): Stage | undefined {
  const own = (plugin as { readonly [PYTHON]?: PythonPlugin })[PYTHON]
  if (own?.description.hooks[hook]?.mode !== 'inline' || plugin[hook] !== own.hookOf(hook))
    return undefined
  return frame.context === undefined ? undefined : { plugin: own, frame, hook }
}

function isShared(
  left: readonly Stage[] | undefined,
  right: readonly Stage[] | undefined,
): boolean {
  const [one] = left ?? []
  const [other] = right ?? []
  return one !== undefined && other?.plugin.interpreter === one.plugin.interpreter
}

function joined<H extends ChunkHookName>(
  hooks: readonly ChunkHook<H>[],
  name: H,
  run: ((...args: unknown[]) => Promise<unknown>) | undefined,
): readonly ChunkHook<H>[] {
  const [first] = hooks
  if (!run || !first) return hooks
  return [{ ...first, run: bindJoined(first.frame, name, run) }]
}
