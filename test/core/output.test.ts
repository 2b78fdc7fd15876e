import { expect } from 'chai'
import { AnswerClock } from '../../src/agent/answer-clock.ts'
import { Progress } from '../../src/core/hooks/chunk-reader.ts'
import { isOutput } from '../../src/core/output.ts'
import type { Limits } from '../../src/plugin/index.ts'

const USAGE = { type: 'metadata', metadata: { usage: { input: 5, output: 1 } } }
const TEXT = { type: 'text-delta', id: '1', delta: 'Hi' }

describe('the output of an answer', () => {
  it('is content, and neither metadata nor the border of a part', () => {
    const shown = [TEXT, { type: 'tool-call-start', id: '1', name: 't' }, 'a text', null]
    expect(shown.map(isOutput)).to.deep.equal([true, true, true, true])
    const empty = [USAGE, { type: 'text-start', id: '1' }, { ...TEXT, delta: '' }]
    expect(empty.map(isOutput)).to.deep.equal([false, false, false])
  })

  it('is what counts as progress', () => {
    const progress = new Progress({} as Limits, 'p')
    progress.addPartials([USAGE])
    expect(progress.news).to.equal(0)
    progress.addPartials([USAGE, TEXT])
    expect(progress.news).to.equal(1)
  })

  it('ends the time until the first output', () => {
    let now = 0
    const clock = new AnswerClock({ elapsed: () => now })
    const sink = clock.watch(() => undefined)
    now = 1000
    void sink([USAGE])
    expect(clock.times).to.deep.equal({ seconds: 1 })
    now = 3000
    void sink([TEXT])
    now = 4000
    expect(clock.times).to.deep.equal({ seconds: 4, firstSeconds: 3 })
  })
})
