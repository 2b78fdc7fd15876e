import type { Environment, Storage } from '@braidwork/agent'
import { type CounterWindow, withRetries } from '@braidwork/agent/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** Milliseconds of a part of a claim. The claim of a process that died ends after at most two parts. */
const PART = 5000

export interface ClaimParts {
  readonly storage: Pick<Storage, 'counters'>
  readonly environment: Environment
  readonly log: Log
}

/**
 * Does something that no other server of the storage does under the same key meanwhile. A claim holds the present part
 * of the time and the next one, each as a counter of the storage, and takes further parts as long as the work goes on.
 * @throws {HostError} COMPACTION_BUSY, STORAGE_FAILED, and what `act` throws
 */
export async function claimed<T>(
  parts: ClaimParts,
  key: string,
  act: () => Promise<T>,
): Promise<T> {
  const { storage, environment } = parts
  const first = Math.floor(environment.now() / PART)
  const held = [windowOf(key, first), windowOf(key, first + 1)]
  const takes = held.map((window) => ({ ...window, amount: 0, held: 1, most: 1 }))
  if ((await storage.counters.take(takes)).length > 0) throw compactionBusy()
  const ending = new AbortController()
  const next = (part: number) => windowOf(key, first + part)
  const renewed = renew(parts, { held, next }, ending.signal)
  try {
    return await act()
  } finally {
    ending.abort()
    await renewed
    await change(parts, held, -1)
  }
}

export function compactionBusy(): HostError {
  const message = 'The conversation is being compacted already. Wait until that has ended.'
  return new HostError('COMPACTION_BUSY', message)
}

/** Takes another part whenever one has passed, and adds it to those that are held. */
async function renew(
  parts: ClaimParts,
  {
    held,
    next,
  }: { readonly held: CounterWindow[]; readonly next: (part: number) => CounterWindow },
  signal: AbortSignal,
): Promise<void> {
  while (await hasPassed(parts, signal)) {
    const further = next(held.length)
    await change(parts, [further], 1)
    held.push(further)
  }
}

/** Waits for one part of the time. Returns false if the work has ended meanwhile. */
async function hasPassed({ environment }: ClaimParts, signal: AbortSignal): Promise<boolean> {
  try {
    await environment.sleep(PART, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return !signal.aborted
}

/** A failure is logged: without a part, another server may do the same work, which only costs its tokens. */
async function change(
  { storage, environment, log }: ClaimParts,
  windows: readonly CounterWindow[],
  held: 1 | -1,
): Promise<void> {
  try {
    const changes = windows.map((window) => ({ ...window, amount: 0, held }))
    await withRetries(environment, () => storage.counters.add(changes))
  } catch (error) {
    const message = `The claim to a compaction cannot be stored: ${messageOf(error)}`
    log({ level: 'warn', message })
  }
}

/** Each part has a key of its own: of counters with one key, `take` takes a single one. */
function windowOf(key: string, part: number): CounterWindow {
  return { key: `${key}#${part}`, startsAt: part * PART, endsAt: (part + 1) * PART }
}
