import { expect } from 'chai'
import { answerReader } from '../../../src/core/hooks/answers.ts'
import type { AnswerShape } from '../../../src/plugin/hook.ts'
import { errorOf } from '../../helpers/plugins.ts'

const STATE = { a: 1 }

/** By shape: answers that hold, and answers that do not. */
const SAMPLES: {
  readonly [S in AnswerShape]: { right: readonly unknown[]; wrong: readonly unknown[] }
} = {
  ids: { right: [[], ['a'], new Set(['a'])], wrong: ['ab', null, undefined, [''], [1], {}, 7] },
  object: {
    right: [{}, STATE, Object.create(null)],
    wrong: [[], null, undefined, 'x', new Date()],
  },
  verdict: { right: [true, false, null, undefined, 1, 'yes', {}], wrong: [] },
  list: { right: [[], [1]], wrong: [{}, null, undefined, new Set(), 'x'] },
  native: { right: [null, '', 0, {}, []], wrong: [undefined] },
  'native-state': {
    right: [
      [[], STATE],
      [null, {}],
      [1, STATE, 'surplus'],
    ],
    wrong: [[[]], [[], null], {}, null, [STATE]],
  },
  step: {
    right: [
      [[], [], null, STATE],
      [[1], [2], {}, {}, 'surplus'],
    ],
    wrong: [
      [[], [], null],
      [[], {}, null, STATE],
      ['x', [], null, STATE],
      [[], [], null, []],
      undefined,
    ],
  },
  finals: {
    right: [
      [[], null, STATE],
      [[1], 2, {}, 'surplus'],
    ],
    wrong: [[null, null, STATE], [[], null], [[], null, 'state'], []],
  },
  chunks: {
    right: [[], ['a'], new Set(), (function* () {})(), (async function* () {})()],
    wrong: [null, undefined, 'text', {}, 7, Promise.resolve()],
  },
  any: { right: [undefined, null, 1, 'x', {}, []], wrong: [] },
}

describe('answerReader', () => {
  for (const [shape, { right, wrong }] of Object.entries(SAMPLES)) {
    it(`takes ${right.length} answers of shape "${shape}", and refuses ${wrong.length}`, async () => {
      for (const answer of right) answerReader(shape as AnswerShape)(answer)
      for (const answer of wrong) {
        const error = await errorOf(() => answerReader(shape as AnswerShape)(answer))
        expect(error.code).to.equal('HOOK_ANSWER_INVALID')
        expect(error.message).to.match(/^it answered .+, but the answer must be .+/)
      }
    })
  }

  it('tells the members of an answer that has as many as it should', async () => {
    const event = { type: 'text-start', id: 'a' }
    const error = await errorOf(() => answerReader('step')([event, [], undefined, {}]))
    expect(error.message).to.include(
      'it answered [an object, an array of 0, nothing, an object], but',
    )
  })

  it('makes ids unique, in the order in which they first came', () => {
    expect(answerReader('ids')(['b', 'a', 'b'])).to.deep.equal(['b', 'a'])
    expect(answerReader('ids')(new Set(['b', 'a']))).to.deep.equal(['b', 'a'])
  })

  it('CL-06 takes anything but true and false for no verdict', () => {
    expect(answerReader('verdict')(true)).to.equal(true)
    expect(answerReader('verdict')(false)).to.equal(false)
    for (const answer of [undefined, null, 0, 1, '', 'yes', 'true', {}, [], new Boolean(true)]) {
      expect(answerReader('verdict')(answer), JSON.stringify(answer)).to.equal(undefined)
    }
  })
})
