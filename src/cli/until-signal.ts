import { HostError } from '@braidwork/plugin'
import { StoppedBy } from './exit.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs something that Ctrl-C, SIGTERM or SIGHUP stops by its signal, so that it can remove its unfinished work.
 * @returns its result
 * @throws {HostError} ABORTED with the signal of the system as its cause
 */
export async function untilSignal<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let cause: StoppedBy | undefined
  const stop = (name: NodeJS.Signals) => {
    cause ??= new StoppedBy(name)
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await act(controller.signal)
  } catch (error) {
    if (cause === undefined || !HostError.is(error) || error.code !== 'ABORTED') throw error
    throw new HostError('ABORTED', error.message, { cause })
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/** Waits for something that hears of no signal. @throws {HostError} ABORTED once the signal aborts */
export async function unlessStopped<T>(signal: AbortSignal, waiting: Promise<T>): Promise<T> {
  assertNotStopped(signal)
  let stop = () => {}
  const end = new Promise<never>((_, reject) => {
    stop = () => reject(stopped())
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([waiting, end])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** @throws {HostError} ABORTED if the signal is aborted */
export function assertNotStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stopped()
}

function stopped(): HostError {
  return new HostError('ABORTED', 'You stopped it. Nothing was changed.')
}
