import { expect } from 'chai'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { textEvents } from '../../helpers/hosts.ts'
import {
  ANTHROPIC_MESSAGES,
  type ApiProtocol,
  CHAT_COMPLETIONS,
  framesOf,
  RESPONSES,
} from './api-protocols.ts'
import { IllegalFrame } from './illegal-frame.ts'
import { factsOf, runOf } from './runs.ts'

/** Each with the frames that may be missing: they only make another text, or were not asked for. */
const PROTOCOLS: readonly (readonly [name: string, protocol: ApiProtocol, loose: RegExp])[] = [
  [
    'chat completions',
    CHAT_COMPLETIONS,
    /"delta":\{"(content|reasoning_content)"|"index":\d,"function"|"choices":\[\]/,
  ],
  ['Anthropic messages', ANTHROPIC_MESSAGES, /^event: content_block_delta/],
  ['responses', RESPONSES, /^$/],
]

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
  for (const [name, protocol, loose] of PROTOCOLS) {
    const frames = framesOf(protocol, RUN, factsOf('look'))
      .join('')
      .split(/(?<=\n\n)/)
    const strict = [...frames.keys()].filter((at) => !loose.test(frames[at]!))

    const check = (given: readonly string[]) => () => {
      const one = protocol.checker()
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
