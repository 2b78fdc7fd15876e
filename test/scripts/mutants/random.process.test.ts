import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { linesOf } from '../../../scripts/mutants/equivalents.ts'
import { runRandom } from '../../../scripts/mutants/random.ts'
import { type Result, reportOf } from '../../../scripts/mutants/report.ts'
import { brokenProject, TEST, write } from './broken-project.ts'

describe('random mutants', function () {
  this.timeout(300_000)
  let root = ''
  let results: readonly Result[] = []
  const log: string[] = []

  const run = (deadline = Number.POSITIVE_INFINITY, python = false) =>
    runRandom({
      root,
      count: 10,
      python,
      seed: 5,
      jobs: 1,
      deadline,
      graceMs: 3000,
      log: (line) => log.push(line),
    })
  const of = (mutated: string, among = results) => {
    const found = among.find(({ mutant }) => linesOf(root, mutant).replace.includes(mutated))
    if (!found) throw new Error(`no mutant "${mutated}"`)
    return found
  }

  before(async () => {
    root = await brokenProject()
    results = await run()
  })
  after(() => rm(root, { recursive: true }))

  it('tells the test that notices a broken line', () => {
    const { fate, detail } = of('return a - b')
    expect([fate, detail]).to.deep.equal(['killed', 'failed test/sums.test.ts sums adds'])
  })

  it('tells a line that tests reach and do not notice', () => {
    const { fate, detail } = of('return a + b')
    expect([fate, detail]).to.deep.equal(['survived', '1 test file reaches it'])
  })

  it('tells a line that no test reaches', () => {
    const { fate, detail } = of('return a / b')
    expect([fate, detail]).to.deep.equal(['survived', 'no test reaches it'])
  })

  it('counts a line that makes tests hang as noticed', () => {
    expect(of('left++').detail).to.equal('hung test/sums.test.ts ')
  })

  it('breaks a program that a test starts from its build, with no variables', () => {
    const { fate, detail } = of('return a * b')
    expect(fate).to.equal('killed')
    expect(detail).to.include('divides in a program')
  })

  it('breaks sources in Python as well', async () => {
    const inPython = await run(Number.POSITIVE_INFINITY, true)
    const fates = inPython.map(({ mutant, fate }) => `${mutant.file}:${mutant.line} ${fate}`)
    expect(fates).to.include.members([
      'tools/sums/sums.py:5 killed',
      'tools/sums/sums.py:8 survived',
    ])
  })

  it('takes no mutant that does not type-check', () => {
    expect(results.map(({ mutant }) => mutant.mutator)).to.not.include('BlockStatement')
  })

  it('leaves out a test that fails without any mutant, and says so', () => {
    expect(log).to.include('left out: test/sums.test.ts, sums fails always')
    expect(log.join('\n')).to.include(
      'left out: test/sums.test.ts, sums with a hook that fails "before all"',
    )
  })

  it('reports the seed, the survivors with their lines, and a score for the room', () => {
    expect(log[0]).to.match(/^seed 5, 10 mutants;/)
    const report = reportOf(root, results)
    const at = report.findIndex((line) => line.startsWith('SURVIVED src/sums/index.ts:6 '))
    expect(report.slice(at + 1, at + 3)).to.deep.equal(['  -   return a - b', '  +   return a + b'])
    const killed = results.filter(({ fate }) => fate === 'killed').length
    expect(report.find((line) => line.endsWith('src/sums'))).to.include(
      `${killed}/${results.length}`,
    )
  })

  it('goes on where an earlier run with the same seed ended', async () => {
    const path = join(/results are kept in (.*)$/.exec(log[0] ?? '')?.[1] ?? '', 'facts.jsonl')
    const facts = await readFile(path, 'utf8')
    expect(await run(0)).to.deep.equal(results)
    expect(await readFile(path, 'utf8')).to.equal(facts)
  })

  it('tests survivors again when a test has changed', async () => {
    await write(
      root,
      'test/sums.test.ts',
      TEST.replace('{ unnoticed(1, 2) }', 'strictEqual(unnoticed(1, 2), -1)'),
    )
    const again = await run()
    expect(of('return a + b', again).detail).to.equal('failed test/sums.test.ts sums subtracts')
  })

  it('does not count a mutant that is listed as equivalent, until its line changes', async () => {
    const { mutant } = of('return a / b')
    const entry = { file: mutant.file, ...linesOf(root, mutant), reason: 'b is always 1.' }
    await write(root, 'test/equivalent-mutants.json', JSON.stringify([entry]))
    const { fate, detail } = of('return a / b', await run(0))
    expect([fate, detail]).to.deep.equal(['equivalent', 'b is always 1.'])

    const source = await readFile(join(root, mutant.file), 'utf8')
    await write(root, mutant.file, source.replace('return a * b', 'return b * a'))
    const error = await run().catch((thrown: unknown) => String(thrown))
    expect(error).to.include('lines that their files do not have once:\nsrc/sums/index.ts:')
  })
})
