import { addUsage, type RunEvent, type Usage } from '@braidwork/plugin'
import { isEmpty } from '../run-endings.ts'
import type { Storage, StoredRun } from '../storage/index.ts'

/** How many events are read at once. */
const PAGE = 100

/**
 * The events of the legs of a run before its present one, newest first.
 * @throws {HostError} STORAGE_FAILED
 */
export async function* eventsOfEarlierLegs(
  { owner, id, legSeq }: StoredRun,
  { runs }: Pick<Storage, 'runs'>,
): AsyncGenerator<RunEvent> {
  for (let before = legSeq; before > 0; before -= PAGE) {
    const range = { after: Math.max(-1, before - 1 - PAGE), limit: Math.min(before, PAGE) }
    const page = await runs.events(owner, id, range)
    yield* page.filter(({ seq }) => seq < before).reverse()
  }
}

/**
 * What the legs directly before the present one used that said nothing, because their calls asked again: the history has
 * no message of them. AL-22
 * @throws {HostError} STORAGE_FAILED
 */
export async function untoldUsage(run: StoredRun, storage: Pick<Storage, 'runs'>): Promise<Usage> {
  let untold: Usage = {}
  for await (const event of eventsOfEarlierLegs(run, storage)) {
    if (event.type !== 'finish') continue
    if (!isEmpty(event.messages)) return untold
    untold = addUsage(untold, event.usage)
  }
  return untold
}

/**
 * What the last legs of a run that waits used, as far as the history has no message of them.
 * @throws {HostError} STORAGE_FAILED
 */
export async function untoldWhileWaiting(
  run: StoredRun,
  storage: Pick<Storage, 'runs'>,
): Promise<Usage> {
  return run.status === 'suspended' ? untoldUsage({ ...run, legSeq: run.nextSeq }, storage) : {}
}
