import { settle } from '@braidwork/core/internal'
import type { Bench, Question } from '../bench/index.ts'
import { isScripted } from './answers.ts'
import { type Check, done, fault } from './check.ts'

const ABOUT = 'testing.md#cancelling'
/** Seconds within which a cancelled request must end, and its work must stop. */
export const PATIENCE = 2
/** Milliseconds after which a request is cancelled that waits, possibly in another process. */
const A_WHILE = 150

/** A question whose answer does not end by itself, where the suite can make one. */
function endless(bench: Bench): Question {
  if (bench.api) return { mood: { stallAt: 0.4 } }
  return isScripted(bench) ? { answer: 'waiting' } : {}
}

/** Makes a request and cancels it after some time. Fails if it does not end in time. */
async function cancelled(bench: Bench, mode: 'send' | 'stream', after: number): Promise<void> {
  const controller = new AbortController()
  const asked = bench.again(mode, { ...endless(bench), signal: controller.signal })
  const timer = setTimeout(() => controller.abort('cancelled by the check'), after)
  const ended = await settle(asked, { seconds: PATIENCE + after / 1000 }).catch(() => undefined)
  clearTimeout(timer)
  if (!ended)
    fault(`${PATIENCE} seconds after it was cancelled, the request has not ended. ${ADVICE}`)
}

const ADVICE = 'Pass "context.signal" to every operation that waits.'

/** Waits for the end of all work of the plugin. What an earlier check has reported does not count again. */
export async function becomesQuiet(bench: Bench, what: string): Promise<void> {
  const until = Date.now() + PATIENCE * 1000
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (workOf(bench).length === 0 && (bench.api?.open ?? 0) === 0) return
  }
  for (const work of workOf(bench)) bench.stuck.add(work)
  fault(`${PATIENCE} seconds after ${what}, a hook of "${bench.name}" is still waiting. ${ADVICE}`)
}

function workOf({ trial, stuck }: Bench): readonly Promise<unknown>[] {
  return [...trial.pending].filter((work) => !stuck.has(work))
}

const cancels = (mode: 'send' | 'stream', after: number, name: string): Check => ({
  name,
  about: ABOUT,
  async run(bench) {
    done(await bench.ask(mode))
    await cancelled(bench, mode, after)
    await becomesQuiet(bench, 'the request was cancelled')
  },
})

const neverBegins: Check = {
  name: 'answers nothing when it is cancelled before it begins',
  about: ABOUT,
  async run(bench) {
    done(await bench.ask('stream'))
    const asked = bench.again('stream', { signal: AbortSignal.abort('cancelled by the check') })
    const ended = await settle(asked, { seconds: PATIENCE }).catch(() => undefined)
    if (ended?.status !== 'aborted') fault(`The request ${ended?.status ?? 'has not ended'}.`)
  },
}

const leaves: Check = {
  name: 'closes its stream when the reader leaves',
  about: ABOUT,
  async run(bench) {
    done(await bench.ask('stream'))
    if (bench.api) bench.api.mood = { stallAt: 0.9 }
    for await (const event of bench.open(isScripted(bench) ? { answer: 'plain' } : {}))
      if (event.type !== 'start') break
    await becomesQuiet(bench, 'the reader left')
  },
}

const goesOn: Check = {
  name: 'answers again after a cancelled request',
  about: ABOUT,
  async run(bench) {
    done(await bench.ask('stream'))
    await cancelled(bench, 'stream', 0)
    const { status, error } = await bench.again('stream')
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
