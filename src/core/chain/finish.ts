import type { State } from '@braidwork/plugin'
import { checkAnswered, checkFinals } from '../answered-messages.ts'
import { type Bound, placeOf, providerHook, throughFollowers } from './request.ts'

/** The state of an answer after its last chunk. */
export interface Answered {
  /** The native finals of the call or the chunks, in order. */
  readonly finals: readonly unknown[]
  readonly native: unknown
  readonly state: State
}

/** The phase after I/O: `finalize`, then the conversion from native to core. CL-36, CL-37, CL-40, CL-41 */
export async function finish(bound: Bound, answered: Answered): Promise<Answered> {
  const { finals, native, state } = await finalize(bound, answered)
  const toCore = providerHook(bound, 'fromNative', 'finals')
  const start: readonly unknown[] = toCore ? await toCore(finals, state) : finals
  const change = { hook: 'fromNative', phase: 'finals', start } as const
  const isHosted = bound.request.partials === 'events'
  if (isHosted) checkFinals(start, bound.request.plugins.provider.name)
  const core = await throughFollowers(bound, change, async (before, { frame, run }) => {
    const changed = await run(finals, before)
    if (isHosted && changed.length > 0) checkAnswered(changed, before, placeOf(frame, 'fromNative'))
    return changed
  })
  return { finals: core, native, state }
}

type AnswerTriple = readonly [finals: readonly unknown[], native: unknown, state: State]

async function finalize(bound: Bound, answered: Answered): Promise<Answered> {
  let { finals, native, state } = answered
  const own = providerHook(bound, 'finalize', 'finals')
  if (own) {
    let late: readonly unknown[]
    ;[late, native, state] = await own(native, state)
    finals = [...finals, ...late]
  }
  const start: AnswerTriple = [finals, native, state]
  const end = { hook: 'finalize', phase: 'finals', start } as const
  ;[finals, native, state] = await throughFollowers(bound, end, (answer, { run }) => run(...answer))
  return { finals, native, state }
}
