import { expect } from 'chai'
import fc from 'fast-check'
import {
  type AskModel,
  type CompactionPolicy,
  compactionPolicyOf,
} from '../../../src/agent/compaction/index.ts'
import { pieceOf } from '../../../src/agent/compaction/pieces.ts'
import { summarize } from '../../../src/agent/compaction/summarize.ts'
import { tokensOf } from '../../../src/agent/estimated-tokens.ts'
import { type Message, textOf } from '../../../src/plugin/events/index.ts'
import { codeOf } from '../../store/stored.ts'

const ROOM = 2000

describe('pieceOf', () => {
  it('loses no character of any text, and keeps to the room', () => {
    const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 20 })
    fc.assert(
      fc.property(lines, fc.integer({ min: 8, max: 60 }), (given, room) => {
        const taken: string[] = []
        let left: readonly string[] = given
        do {
          const piece = pieceOf(left, room)
          expect(tokensOf(piece.taken.join('\n'))).to.be.at.most(room)
          taken.push(...piece.taken)
          left = piece.left
        } while (left.length > 0)
        expect(taken.join('')).to.equal(given.join(''))
        for (const line of taken) expect(Buffer.from(line).toString()).to.equal(line)
      }),
    )
  })
})

describe('summarize', () => {
  let asked: string[]
  let policy: CompactionPolicy
  const ask: AskModel = async (_config, message) => {
    asked.push(textOf(message))
    return { messages: [said(`summary ${asked.length}`)], usage: {} }
  }
  beforeEach(() => {
    asked = []
    policy = { ...compactionPolicyOf(), summaryRoom: ROOM }
  })

  it('CT-21 summarizes in pieces what is longer than the context of the model', async () => {
    const words = Array.from({ length: 5000 }, (_, at) => `word${at}`)
    const summary = await summarize({ messages: [said(words.join(' '))] }, policy, ask)
    expect(asked.length).to.be.above(4)
    expect(summary).to.equal(`summary ${asked.length}`)
    for (const text of asked) expect(tokensOf(text)).to.be.at.most(ROOM)
    expect(asked[0]).to.not.include('<previous_summary>')
    expect(asked[2]).to.include('<previous_summary>\nsummary 2\n</previous_summary>')
    const known = asked.join('')
    expect(words.filter((word) => !known.includes(word)).length).to.be.below(asked.length)
  })

  it('CT-21 gives the earlier summary to a prompt that has no place for it', async () => {
    policy = { ...policy, prompt: 'Sum up: {messages}' }
    await summarize({ messages: [said('word '.repeat(500))], previous: 'before' }, policy, ask)
    expect(asked[0]).to.match(/^Sum up: <previous_summary>\nbefore\n<\/previous_summary>\n\[/)
  })

  it('CT-21 asks nothing where the context of the model has no room', async () => {
    const messages = [said('word '.repeat(500))]
    for (const summaryRoom of [-100, 0, 200]) {
      expect(await codeOf(summarize({ messages }, { ...policy, summaryRoom }, ask))).to.equal(
        'COMPACTION_FAILED',
      )
    }
    expect(asked).to.deep.equal([])
  })

  it('CT-21 gives up where it would take too many requests', async () => {
    const messages = [said('word '.repeat(100_000))]
    const failed = await summarize({ messages }, policy, ask).catch((error: unknown) => error)
    expect(String(failed)).to.include('32 requests')
    expect(asked).to.have.length(32)
  })
})

function said(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] }
}
