import { type BoundHook, type ChunkHook, type ChunkHooks, PYTHON } from '@braidwork/core/internal'
import type { PythonPlugin } from './python-plugin.ts'
import { type ChunkHookName, modeOf, Segment, type Stage } from './segment.ts'

interface Group<H extends ChunkHookName> {
  readonly hooks: readonly ChunkHook<H>[]
  /** `undefined` for a single hook that must not be joined. */
  readonly stages?: Stages
}

type Stages = readonly [Stage, ...Stage[]]

/**
 * Joins adjacent chunk hooks that run in one interpreter, so that they share one round trip. The last `processChunk`
 * hooks and the first `fromNative` hooks are joined too if no other hook runs between them.
 */
export function joinChunkHooks({ steps, toCore, isApart }: ChunkHooks): ChunkHooks {
  const stepGroups = groupsOf(steps, 'processChunk')
  const coreGroups = groupsOf(toCore, 'fromNative')
  const last = stepGroups.at(-1)?.stages
  const [first] = coreGroups
  const isOne = !isApart && isShared(last, first?.stages)
  const segmentsOfSteps = stepGroups.map(({ stages }) => {
    return (
      stages &&
      new Segment([...stages, ...((isOne && stages === last && first?.stages) || [])], isApart)
    )
  })
  const linked = isOne ? segmentsOfSteps.at(-1) : undefined
  const isWhole = stepGroups.length === 1 && coreGroups.length === (linked ? 1 : 0) && !isApart
  return {
    steps: stepGroups.flatMap(({ hooks }, at) => joined(hooks, segmentsOfSteps[at]?.step)),
    toCore: coreGroups.flatMap(({ hooks, stages }, at) => {
      const segment = at === 0 && linked ? linked : stages && new Segment(stages, isApart)
      return joined(hooks, segment?.toCore)
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
        stages: [...(group.stages ?? []), stage] as unknown as Stages,
      }
    } else groups.push(stage ? { hooks: [one], stages: [stage] } : { hooks: [one] })
  }
  return groups
}

/** The stage of a hook that does not run in a thread of its own, and was not replaced since the plugin was loaded. */
function stageOf(
  { plugin, frame }: ChunkHook<ChunkHookName>,
  hook: ChunkHookName,
): Stage | undefined {
  const own = (plugin as { readonly [PYTHON]?: PythonPlugin })[PYTHON]
  const mode = own?.description.hooks[hook]?.mode
  if (!own || (mode !== 'inline' && mode !== 'async') || plugin[hook] !== own.hookOf(hook))
    return undefined
  return frame.context === undefined ? undefined : { plugin: own, frame, hook }
}

function isShared(
  left: readonly Stage[] | undefined,
  right: readonly Stage[] | undefined,
): boolean {
  const [one] = left ?? []
  const [other] = right ?? []
  if (!one || !other || modeOf(one) !== modeOf(other)) return false
  return other.plugin.interpreter === one.plugin.interpreter
}

function joined<H extends ChunkHookName>(
  hooks: readonly ChunkHook<H>[],
  run: Segment['step'] | Segment['toCore'] | undefined,
): readonly ChunkHook<H>[] {
  const [first] = hooks
  return run && first ? [{ ...first, run: run as BoundHook<H> }] : hooks
}
