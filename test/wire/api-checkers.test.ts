import { expect } from 'chai'
import type { PartialEvent } from '../../src/events/index.ts'
import {
  AnthropicMessagesChecker,
  anthropicMessagesEncoder,
} from '../../src/wire/anthropic-messages/index.ts'
import {
  ChatCompletionChecker,
  chatCompletionEncoder,
} from '../../src/wire/chat-completions/index.ts'
import { IllegalFrame } from '../../src/wire/illegal-frame.ts'
import type { RunFacts, StreamEncoder } from '../../src/wire/protocol.ts'
import { ResponsesChecker, responsesEncoder } from '../../src/wire/responses/index.ts'
import { textEvents } from '../helpers/hosts.ts'
import { factsOf, runOf } from './runs.ts'

interface Checker {
  check(text: string): void
  end(): void
}

interface Protocol {
  readonly encoder: (facts: RunFacts) => StreamEncoder
  readonly checker: () => Checker
  /** Frames that may be missing: they only make another text, or were not asked for. */
  readonly loose: RegExp
}

const PROTOCOLS: { readonly [name: string]: Protocol } = {
  'chat completions': {
    encoder: (facts) => chatCompletionEncoder(facts, { includesUsage: true }),
    checker: () => new ChatCompletionChecker(),
    loose: /"delta":\{"(content|reasoning_content)"|"index":\d,"function"|"choices":\[\]/,
  },
  'Anthropic messages': {
    encoder: anthropicMessagesEncoder,
    checker: () => new AnthropicMessagesChecker(),
    loose: /^event: content_block_delta/,
  },
  responses: {
    encoder: responsesEncoder,
    checker: () => new ResponsesChecker(),
    loose: /^$/,
  },
}

const calls = ['a', 'b'].flatMap((id): PartialEvent[] => [
  { type: 'tool-call-start', id, name: 'look' },
  { type: 'tool-call-delta', id, delta: `{"${id}":1}` },
  { type: 'tool-call-end', id, input: { [id]: 1 } },
])
const RUN = runOf([
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'hm' },
  { type: 'reasoning-end', id: 'r' },
  ...textEvents('It ', 'rains.'),
  ...calls,
])

/** Frames with their numbers made anew, so that it is not those that tell. */
function renumbered(frames: readonly string[]): string[] {
  return frames.map((frame, at) =>
    frame.replace(/"sequence_number":\d+/, `"sequence_number":${at}`),
  )
}

describe('the checkers of API protocols', () => {
  for (const [name, { encoder, checker, loose }] of Object.entries(PROTOCOLS)) {
    const encoding = encoder(factsOf('look'))
    const text = RUN.map((event) => encoding.encode(event)).join('')
    const frames = text.split(/(?<=\n\n)/)
    const strict = [...frames.keys()].filter((at) => !loose.test(frames[at]!))

    const check = (given: readonly string[]) => () => {
      const one = checker()
      for (const frame of renumbered(given)) one.check(frame)
      one.end()
    }

    it(`let ${name} pass`, () => {
      expect(strict).to.have.length.above(4)
      check(frames)()
    })

    it(`refuse ${name} where a frame is missing`, () => {
      for (const at of strict) {
        expect(check(frames.toSpliced(at, 1)), frames[at]).to.throw(IllegalFrame)
      }
    })

    it(`refuse ${name} where a frame comes twice`, () => {
      for (const at of strict) {
        expect(check(frames.toSpliced(at, 0, frames[at]!)), frames[at]).to.throw(IllegalFrame)
      }
    })

    it(`refuse ${name} that end early, or are no frames`, () => {
      expect(check(frames.slice(0, -1))).to.throw(IllegalFrame)
      expect(check(['data: {"a"\n\n'])).to.throw()
      expect(check(['data: {}\n'])).to.throw()
    })
  }
})
