import { expect } from 'chai'
import { measuredAgain } from '../../scripts/tests/measured-again.ts'

const file = (name: string, failed: number) => ({ file: name, seconds: 1, failed })
const counts = (passed: number, failed: number) => ({ passed, failed, skipped: 1 })

/** Files that fail so often when they run alone. */
function runner(fails: Readonly<Record<string, number>>) {
  const ran: string[] = []
  const alone = async (name: string) => {
    ran.push(name)
    return counts(4, fails[name] ?? 0)
  }
  return { ran, alone }
}

describe('files that measure', () => {
  it('run once more, alone, where they failed beside others', async () => {
    const { ran, alone } = runner({})
    const files = [file('a', 0), file('b', 2), file('c', 1)]
    const told = await measuredAgain({ ...counts(10, 3), files }, alone)
    expect([told, ran]).to.deep.equal([counts(13, 0), ['b', 'c']])
  })

  it('fail where they fail alone too', async () => {
    const { alone } = runner({ b: 2 })
    const files = [file('b', 2), file('c', 1)]
    expect(await measuredAgain({ ...counts(10, 3), files }, alone)).to.deep.equal(counts(11, 2))
  })

  it('do not run again where something failed that none of them tells', async () => {
    const { ran, alone } = runner({})
    const first = { ...counts(10, 2), files: [file('b', 1)] }
    expect([await measuredAgain(first, alone), ran]).to.deep.equal([first, []])
  })

  it('do not run again where many failed', async () => {
    const { ran, alone } = runner({})
    const files = ['a', 'b', 'c', 'd'].map((name) => file(name, 1))
    const first = { ...counts(10, 4), files }
    expect([await measuredAgain(first, alone), ran]).to.deep.equal([first, []])
  })
})
