import { type Message, type PartialEvent, textOf } from '@braidwork/plugin'
import { type Harness, messagesOf, type Question, TEXT } from '../harness/index.ts'
import { needsScript } from './answers.ts'
import { apiOf, type Check, done, fault, same, shown, unjudged } from './check.ts'

const ABOUT = 'testing.md#split-text'

/** Answers of the same text: whole, and split once at each boundary. */
const CUTS: readonly string[] = Array.from({ length: TEXT.length }, (_, at) => `split:${at}`)
const PIECES = ['pieces:1', 'pieces:2', 'pieces:3', 'pieces:7'] as const
const HOLD_BACK = 'Hold back what may go on in the next piece, until the part ends.'
const NO_ANSWERS =
  'pass "answers" in the options, texts with the words that the extension looks for'

async function endOf(harness: Harness, question: Question) {
  const asked = await harness.ask('stream', question)
  if (asked.status === 'done') return asked
  return fault(`A stream fails when it is split otherwise: ${asked.error?.message}`)
}

const textIn = (messages: readonly Message[]): string => messages.map(textOf).join('')
const streamedText = (events: readonly PartialEvent[]): string => textIn(messagesOf(events))

function inCuts(name: string, answers: readonly string[], side: 'messages' | 'streamed'): Check {
  return {
    name,
    about: ABOUT,
    async run(harness) {
      needsScript(harness)
      const whole = done(await harness.ask('stream', { answer: CUTS[0] ?? '' }))
      for (const answer of answers) {
        const asked = await endOf(harness, { answer })
        const message = `Split as "${answer}", the text ends otherwise. ${HOLD_BACK}`
        if (side === 'messages') same(asked.messages, whole.messages, message)
        else same(streamedText(asked.events), streamedText(whole.events), message)
      }
    },
  }
}

/** The ways to split a text: once between each two characters, and into small pieces. */
function splitsOf(text: string): readonly (readonly string[])[] {
  const characters = [...text]
  const cuts = characters.map((_, at) => [
    characters.slice(0, at).join(''),
    characters.slice(at).join(''),
  ])
  const sized = [1, 2, 3, 7].map((size) =>
    characters.flatMap((_, at) => (at % size ? [] : [characters.slice(at, at + size).join('')])),
  )
  return [...cuts.slice(1), ...sized]
}

/** The answers of the options, whole and split. What they are whole is what they must be in pieces. */
function inOwnCuts(name: string, side: 'messages' | 'streamed'): Check {
  return {
    name,
    about: ABOUT,
    async run(harness) {
      needsScript(harness)
      const texts = [harness.options.answers ?? []].flat()
      if (texts.length === 0) unjudged(NO_ANSWERS)
      for (const text of texts) {
        const { messages } = done(await harness.ask('send', { answer: JSON.stringify([text]) }))
        for (const pieces of splitsOf(text)) {
          const asked = await endOf(harness, { answer: JSON.stringify(pieces) })
          const message = `Split into ${shown(pieces)}, the answer ends otherwise than whole. ${HOLD_BACK}`
          if (side === 'messages') same(asked.messages, messages, message)
          else same(streamedText(asked.events), textIn(messages), message)
        }
      }
    },
  }
}

/** The bytes of the API's answer, in pieces of another size each time. */
function inBytes(mode: 'send' | 'stream', size: number): Check {
  const what = mode === 'send' ? 'a whole answer' : 'a stream'
  return {
    name: `reads ${what} that arrives ${size === 1 ? 'byte by byte' : `${size} bytes at a time`}`,
    about: ABOUT,
    async run(harness) {
      apiOf(harness)
      const { messages } = done(await harness.ask(mode))
      const asked = await harness.ask(mode, { mood: { pieces: size } })
      if (asked.status !== 'done') fault(`The request ${asked.status}: ${asked.error?.message}`)
      same(asked.messages, messages, 'The answer differs when its bytes arrive in other pieces.')
    },
  }
}

export const SPLITS_OF_PROVIDERS: readonly Check[] = [
  inBytes('send', 1),
  inBytes('stream', 1),
  inBytes('stream', 7),
  inBytes('stream', 100),
]

export const SPLITS_OF_OTHERS: readonly Check[] = [
  inCuts('gives the same messages wherever text is split', CUTS, 'messages'),
  inCuts('streams the same text wherever it is split', CUTS, 'streamed'),
  inCuts('gives the same messages for text in small pieces', PIECES, 'messages'),
  inCuts('streams the same text in small pieces', PIECES, 'streamed'),
]

export const SPLITS_OF_EXTENSIONS: readonly Check[] = [
  ...SPLITS_OF_OTHERS,
  inOwnCuts('gives the same messages wherever its own answers are split', 'messages'),
  inOwnCuts('streams the same text wherever its own answers are split', 'streamed'),
]
