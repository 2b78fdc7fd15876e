import { HostError } from '@braidwork/plugin'
import type { Environment } from '../environment.ts'

/** How long a child that was cancelled may take to end, in milliseconds. */
const GRACE = 1000

/** Why a timer of a child ends early. The default reason is an error with a stack, which costs more than the rest. */
const ENDED = 'the child has ended'

interface Timed {
  /** Cancels the child. */
  readonly cancel: AbortController
  /** How long the child may work. */
  readonly seconds: number
  readonly environment: Pick<Environment, 'sleep'>
}

/** The result of a child, which is cancelled when its time is over. Undefined if it does not end even then. AL-20 */
export async function withinTime<T>(
  result: Promise<T>,
  { cancel, seconds, environment }: Timed,
): Promise<T | undefined> {
  const done = new AbortController()
  const after = (milliseconds: number, act: () => void): void => {
    // Rejects only because the child has ended.
    environment.sleep(milliseconds, done.signal).then(act, () => undefined)
  }
  const { signal } = cancel
  after(seconds * 1000, () => cancel.abort(outOfTime(seconds)))
  const gone = new Promise<undefined>((resolve) => {
    const wait = () => after(GRACE, () => resolve(undefined))
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
  })
  try {
    return await Promise.race([result, gone])
  } finally {
    done.abort(ENDED)
  }
}

function outOfTime(seconds: number): HostError {
  return new HostError('TIMEOUT', `It did not end within ${seconds} seconds.`)
}

/** Why a child was cancelled, if its time was over. */
export function timeFault({ reason }: AbortSignal): string | undefined {
  return HostError.is(reason) && reason.code === 'TIMEOUT' ? reason.message : undefined
}
