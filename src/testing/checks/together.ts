import type { Harness } from '../harness/index.ts'
import { isScripted } from './answers.ts'
import { type Check, done, fault, same, textsIn } from './check.ts'

const ABOUT = 'testing.md#requests-at-once'
const MANY = 20

/** What request number `at` says and is told. No word is in two of them. */
const wordsOf = (at: number): string => `word-${at}-of-${at * 7919 + 13}`

const questionOf = (harness: Harness, at: number) => ({
  messages: wordsOf(at),
  ...(isScripted(harness) ? { answer: `text:Answer ${wordsOf(at)} ends.` } : {}),
})

const together = (mode: 'send' | 'stream'): Check => ({
  name: `keeps ${MANY} ${mode === 'send' ? 'whole answers' : 'streams'} at once apart`,
  about: ABOUT,
  async run(harness) {
    const questions = Array.from({ length: MANY }, (_, at) => questionOf(harness, at))
    const alone = []
    for (const question of questions) alone.push(done(await harness.ask(mode, question)).messages)
    const all = await Promise.all(questions.map((question) => harness.again(mode, question)))
    const failed = all.find(({ status }) => status !== 'done')
    if (failed) fault(`A request among others ${failed.status}: ${failed.error?.message}`)
    same(
      all.map(({ messages }) => messages),
      alone,
      'Requests at once end otherwise than alone. Keep values of a request in the state or in "context.local".',
    )
  },
})

const ownWords: Check = {
  name: 'sends each request its own words',
  about: ABOUT,
  async run(harness) {
    const questions = Array.from({ length: MANY }, (_, at) => questionOf(harness, at))
    const from = harness.calls.length
    const [bodies = 0] = [harness.api?.bodies.length]
    await Promise.all(questions.map((question) => harness.again('stream', question)))
    const sent = harness.api
      ? harness.api.bodies.slice(bodies).map(textsIn)
      : harness.calls
          .slice(from)
          .filter(isSent)
          .map(({ args }) => textsIn(args.slice(0, 2)))
    if (sent.length !== MANY) return
    const lost = questions.find(({ messages }) => wordsIn(sent, messages) !== 1)
    if (lost)
      fault(`"${lost.messages}" is in ${wordsIn(sent, lost.messages)} requests, not in one.`)
  },
}

function isSent({ hook }: { readonly hook: string }): boolean {
  return hook === 'stream' || hook === 'call'
}

function wordsIn(sent: readonly string[], words: string): number {
  return sent.filter((text) => text.includes(words)).length
}

const afterwards: Check = {
  name: `answers as before after ${MANY} other requests`,
  about: ABOUT,
  async run(harness) {
    const { messages } = done(await harness.ask('stream'))
    for (let at = 0; at < MANY; at++) await harness.ask('stream', questionOf(harness, at))
    const last = await harness.again('stream')
    same(last.messages, messages, 'The answer depends on the requests before it.')
  },
}

export const TOGETHER: readonly Check[] = [together('send'), together('stream'), afterwards]
export const TOGETHER_OF_PROVIDERS: readonly Check[] = [...TOGETHER, ownWords]
