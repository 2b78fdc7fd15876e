import { expect } from 'chai'
import { type FilesOutcome, runAgain } from '../../scripts/tests/run-again.ts'

const titles = (count: number) => Array.from({ length: count }, (_, index) => `test ${index}`)
const file = (name: string, failed: number) => ({ file: name, seconds: 1, failed: titles(failed) })
const counts = (passed: number, failed: number) => ({ passed, failed, skipped: 1 })

/** Files that fail so often when they run alone. */
function runner(fails: Readonly<Record<string, number>>) {
  const ran: string[] = []
  const alone = async (name: string): Promise<FilesOutcome> => {
    ran.push(name)
    const failed = fails[name] ?? 0
    return { ...counts(4, failed), files: [file(name, failed)] }
  }
  return { ran, alone }
}

describe('files that depend on time', () => {
  it('run once more, alone, where they failed beside others', async () => {
    const { ran, alone } = runner({})
    const files = [file('a', 0), file('b', 2), file('c', 1)]
    const told = await runAgain({ ...counts(10, 3), files }, alone)
    expect(ran).to.deep.equal(['b', 'c'])
    expect(told).to.deep.equal({
      ...counts(13, 0),
      files: [file('a', 0), file('b', 0), file('c', 0)],
      again: [file('b', 2), file('c', 1)],
    })
  })

  it('fail where they fail alone too', async () => {
    const { alone } = runner({ b: 2 })
    const files = [file('b', 2), file('c', 1)]
    const told = await runAgain({ ...counts(10, 3), files }, alone)
    expect(told).to.deep.include({ ...counts(11, 2), files: [file('b', 2), file('c', 0)] })
  })

  it('do not run again where something failed that none of them tells', async () => {
    const { ran, alone } = runner({})
    const first = { ...counts(10, 2), files: [file('b', 1)] }
    expect([await runAgain(first, alone), ran]).to.deep.equal([{ ...first, again: [] }, []])
  })

  it('do not run again where many failed', async () => {
    const { ran, alone } = runner({})
    const files = ['a', 'b', 'c', 'd'].map((name) => file(name, 1))
    const first = { ...counts(10, 4), files }
    expect([await runAgain(first, alone), ran]).to.deep.equal([{ ...first, again: [] }, []])
  })
})
