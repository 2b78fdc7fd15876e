import { expect } from 'chai'
import { LogOutput } from '../../src/cli/log-output.ts'

describe('the output of a log', () => {
  it('tells of lost lines before the process exits, also if it can write only then', () => {
    let text = ''
    let isFull = true
    const write = (bytes: Uint8Array) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      text += Buffer.from(bytes).toString('latin1')
      return bytes.length
    }
    const onLost = (lines: number) => output.add(`lost: ${lines}\n`)
    const output: LogOutput = new LogOutput({ write, onLost })
    output.add('first\n')
    output.flush()
    output.add('x'.repeat(2 ** 20))
    isFull = false
    output.flushLast()
    expect(text).to.equal('first\nlost: 1\n')
  })
})
