import type { Asked, Mood } from '../harness/index.ts'
import { apiOf, type Check, done, fault } from './check.ts'

const ABOUT = 'testing.md#errors'

/** What an API answers, and the codes by which a provider may tell it. */
const STATUSES = [
  [401, 'a refused key', ['PROVIDER_UNAUTHORIZED']],
  [429, 'too many requests', ['RATE_LIMITED', 'QUOTA_EXCEEDED']],
  [400, 'a refused request', ['INVALID_REQUEST', 'CONTEXT_OVERFLOW']],
  [500, 'a failing server', ['PROVIDER_FAILED', 'OVERLOADED']],
  [503, 'an overloaded server', ['OVERLOADED', 'PROVIDER_FAILED']],
] as const

const statuses = STATUSES.map(
  ([status, what, codes]): Check => ({
    name: `tells of ${what} with ${codes[0]}`,
    about: ABOUT,
    async run(harness) {
      apiOf(harness)
      done(await harness.ask('stream'))
      for (const mode of ['send', 'stream'] as const) {
        const asked = await harness.ask(mode, { mood: { status } })
        refused(asked, `HTTP status ${status}`, codes)
      }
    },
  }),
)

function refused({ status, error }: Asked, to: string, codes: readonly string[]): void {
  if (status === 'done') fault(`The answer to ${to} is taken for a good one.`)
  if (codes.some((code) => code === error?.code)) return
  fault(
    `The error for ${to} is ${error?.code}: ${error?.message} Throw an error with "code": ${codes.join(' or ')}.`,
  )
}

/** Codes of errors that say nothing of the cause. */
const UNTYPED: readonly string[] = ['HOOK_FAILED', 'HOOK_ANSWER_INVALID', 'EVENTS_INVALID']

function typed(name: string, mode: 'send' | 'stream', mood: Mood): Check {
  return {
    name,
    about: ABOUT,
    async run(harness) {
      apiOf(harness)
      done(await harness.ask(mode))
      const { status, error } = await harness.ask(mode, { mood })
      if (status === 'done') fault('A broken answer is taken for a whole one.')
      if (!UNTYPED.includes(error?.code ?? '')) return
      fault(`The error is ${error?.code}: ${error?.message} Throw one with a code of its own.`)
    },
  }
}

const broken: readonly Check[] = [
  typed('tells of a stream that breaks off', 'stream', { cutAt: 0.5 }),
  typed('tells of a stream that ends too early', 'stream', { endAt: 0.5 }),
  typed('tells of a connection that fails', 'stream', { cutAt: 0 }),
  typed('tells of a whole answer that breaks off', 'send', { cutAt: 0.5 }),
  typed('tells of a whole answer that is no JSON', 'send', { body: '<html>Bad gateway</html>' }),
  typed('tells of a stream without anything in it', 'stream', { body: '' }),
]

const recovers: Check = {
  name: 'answers again after an error of the API',
  about: ABOUT,
  async run(harness) {
    apiOf(harness)
    done(await harness.ask('stream'))
    await harness.again('stream', { mood: { status: 500 } })
    const { status, error } = await harness.again('stream')
    if (status !== 'done') fault(`The next request ${status}: ${error?.message}`)
  },
}

export const ERRORS: readonly Check[] = [...statuses, ...broken, recovers]
