import { settle } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Harness, Question } from '../harness/index.ts'
import { SIGNAL_ADVICE } from '../language.ts'
import { isScripted } from './answers.ts'
import { type Check, done, fault } from './check.ts'

const ABOUT = 'testing.md#cancelling'
/** Seconds within which a cancelled request must end, and its work must stop. */
export const PATIENCE = 2
/** Milliseconds after which a request is cancelled that waits, possibly in another process. */
const A_WHILE = 150

/** A question whose answer does not end by itself, where the suite can make one. */
function endless(harness: Harness): Question {
  if (harness.api) return { mood: { stallAt: 0.4 } }
  return isScripted(harness) ? { answer: 'waiting' } : {}
}

/** What a promise comes to, or undefined once the time is up. Its own errors are thrown. */
export async function inTime<T>(promise: Promise<T>, seconds: number): Promise<T | undefined> {
  try {
    return await settle(promise, { seconds, toLate: () => LATE })
  } catch (error) {
    if (error !== LATE) throw error
    return undefined
  }
}

const LATE = new HostError('TIMEOUT', 'The time is up.')

/** Makes a request and cancels it after some time. Fails if it does not end in time. */
async function cancelled(harness: Harness, mode: 'send' | 'stream', after: number): Promise<void> {
  const controller = new AbortController()
  const asked = harness.again(mode, { ...endless(harness), signal: controller.signal })
  const timer = setTimeout(() => controller.abort('cancelled by the check'), after)
  const ended = await inTime(asked, PATIENCE + after / 1000)
  clearTimeout(timer)
  if (!ended)
    fault(`${PATIENCE} seconds after it was cancelled, the request has not ended. ${SIGNAL_ADVICE}`)
}

/** Waits for the end of all work of the plugin. What an earlier check has reported does not count again. */
export async function becomesQuiet(harness: Harness, what: string): Promise<void> {
  const until = Date.now() + PATIENCE * 1000
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (workOf(harness).length === 0 && (harness.api?.open ?? 0) === 0) return
  }
  for (const work of workOf(harness)) harness.stuck.add(work)
  fault(
    `${PATIENCE} seconds after ${what}, a hook of "${harness.name}" is still waiting. ${SIGNAL_ADVICE}`,
  )
}

function workOf({ trial, stuck }: Harness): readonly Promise<unknown>[] {
  return [...trial.pending].filter((work) => !stuck.has(work))
}

const cancels = (mode: 'send' | 'stream', after: number, name: string): Check => ({
  name,
  about: ABOUT,
  async run(harness) {
    done(await harness.ask(mode))
    await cancelled(harness, mode, after)
    await becomesQuiet(harness, 'the request was cancelled')
  },
})

const neverBegins: Check = {
  name: 'answers nothing when it is cancelled before it begins',
  about: ABOUT,
  async run(harness) {
    done(await harness.ask('stream'))
    const asked = harness.again('stream', { signal: AbortSignal.abort('cancelled by the check') })
    const ended = await inTime(asked, PATIENCE)
    if (ended?.status !== 'aborted') fault(`The request ${ended?.status ?? 'has not ended'}.`)
  },
}

const leaves: Check = {
  name: 'closes its stream when the reader leaves',
  about: ABOUT,
  async run(harness) {
    done(await harness.ask('stream'))
    if (harness.api) harness.api.mood = { stallAt: 0.9 }
    for await (const event of harness.open(isScripted(harness) ? { answer: 'plain' } : {}))
      if (event.type !== 'start') break
    await becomesQuiet(harness, 'the reader left')
  },
}

const goesOn: Check = {
  name: 'answers again after a cancelled request',
  about: ABOUT,
  async run(harness) {
    done(await harness.ask('stream'))
    await cancelled(harness, 'stream', 0)
    const { status, error } = await harness.again('stream')
    if (status !== 'done') fault(`The next request ${status}: ${error?.message}`)
  },
}

export const CANCELLING: readonly Check[] = [
  neverBegins,
  cancels('stream', 0, 'ends a stream that is cancelled at once'),
  cancels('stream', A_WHILE, 'ends a stream that is cancelled while it waits'),
  cancels('send', A_WHILE, 'ends a whole answer that is cancelled'),
  leaves,
  goesOn,
]
