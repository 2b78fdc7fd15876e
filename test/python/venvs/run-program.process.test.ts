import { expect } from 'chai'
import { runProgram } from '../../../src/python/venvs/run-program.ts'

const env = {}

describe('a program that is run to its end', () => {
  it('has its output, its status and its time', async () => {
    const script = 'console.log("tea"); console.error("hot"); process.exitCode = 3'
    expect(await runProgram(process.execPath, ['-e', script], { env })).to.deep.equal({
      status: 3,
      signal: null,
      isLate: false,
      out: 'tea\n',
      err: 'hot\n',
    })
  })

  it('is late where its time ends before it does', async () => {
    const args = ['-e', 'setInterval(() => undefined, 60_000)']
    const { isLate, status, signal } = await runProgram(process.execPath, args, {
      env,
      timeoutMs: 50,
    })
    expect({ isLate, status }).to.deep.equal({ isLate: true, status: null })
    expect(signal).to.match(/^SIG(TERM|KILL)$/)
  })

  it('is not late where it is cancelled', async () => {
    const args = ['-e', 'setInterval(() => undefined, 60_000)']
    const signal = AbortSignal.timeout(50)
    const ended = await runProgram(process.execPath, args, { env, signal })
    expect(ended).to.include({ isLate: false, status: null })
  })
})
