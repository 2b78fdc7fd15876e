import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { textOf } from '../../../src/core/index.ts'
import { pluginChecks } from '../../../src/testing/index.ts'
import { pythonOf } from '../../helpers/python.ts'
import { type Changes, calling, callsIn, EXAMPLES, Example, endsIn } from './example.ts'

const add = (text: string, amount: unknown) => ({ name: 'add_entry', input: { text, amount } })
const balance = { name: 'balance', input: {} }

describe('the example python-clerk', function () {
  this.timeout(30_000)
  const open: Example[] = []
  before(async function () {
    await pythonOf(this)
  })
  afterEach(async () => {
    for (const example of open.splice(0)) await example.close()
  })

  async function opened(changes: Changes = {}): Promise<Example> {
    const example = await Example.open('python-clerk', changes)
    expect((await example.host.resolve()).diagnostics).to.deep.equal([])
    open.push(example)
    return example
  }

  /** The lines of the ledger without their dates. */
  async function ledgerOf(example: Example): Promise<readonly string[]> {
    const [head, ...lines] = (await example.text('books', 'ledger.csv')).trim().split(/\r?\n/)
    expect(head).to.equal('date,text,amount')
    for (const line of lines) expect(line).to.match(/^\d{4}-\d\d-\d\d,/)
    return lines.map((line) => line.slice('2026-11-25,'.length))
  }

  async function runsOf(example: Example): Promise<readonly string[]> {
    const [head, ...lines] = (await example.text('books', 'runs.csv')).trim().split(/\r?\n/)
    expect(head).to.equal('run,entries,balance,ended')
    return lines.map((line) => line.slice(line.indexOf(',') + 1))
  }

  it('writes entries, tells the balance, and closes each run with a line', async () => {
    const example = await opened()
    const { events, result } = await example.stream({ messages: 'bread for breakfast' })
    expect(await ledgerOf(example)).to.deep.equal(['bread for breakfast,-4.50'])
    expect(textOf(result.messages.at(-1)!)).to.equal('The balance is -4.50.')
    expect(endsIn(events)).to.deep.equal(callsIn(result))
    await example.result({ messages: 'butter' })
    expect(await ledgerOf(example)).to.deep.equal(['bread for breakfast,-4.50', 'butter,-4.50'])
    expect(await runsOf(example)).to.deep.equal(['1,-4.50,natural_end', '1,-9.00,natural_end'])
  })

  it('adds exactly, also what no binary number is', async () => {
    const script = calling(add('a', 0.1), add('b', 0.2), add('c', -1e9), add('d', 1.005), balance)
    const example = await opened({ script })
    const calls = callsIn(await example.result())
    expect(await ledgerOf(example)).to.deep.equal([
      'a,0.10',
      'b,0.20',
      'c,-1000000000.00',
      'd,1.01',
    ])
    expect(calls.at(-1)?.output).to.deep.equal({ balance: '-999999998.69', entries: 4 })
    expect(await runsOf(example)).to.deep.equal(['4,-999999998.69,natural_end'])
  })

  it('writes one cell and one line for a text, whatever is in it, and no formula', async () => {
    const texts = ['a,"b"\nc', '=1+1', '@SUM(A1)', '-2+3', '\t=1', 'é 中 🥐']
    const script = calling(...texts.map((text) => add(text, 1)), balance)
    const example = await opened({ script, spec: { max_rounds: 9 } })
    const calls = callsIn(await example.result())
    expect(await ledgerOf(example)).to.deep.equal([
      '"a,""b"" c",1.00',
      "'=1+1,1.00",
      "'@SUM(A1),1.00",
      "'-2+3,1.00",
      "'=1,1.00",
      'é 中 🥐,1.00',
    ])
    expect(calls.at(-1)?.output).to.deep.equal({ balance: '6.00', entries: 6 })
  })

  it('writes nothing of arguments that do not fit, and counts none of them', async () => {
    const script = calling(add('', 1), add('x'.repeat(201), 1), add('a', '1'), add('a', 1e10), {
      name: 'add_entry',
      input: { text: 'a', amount: 1, file: '/tmp/other.csv' },
    })
    const example = await opened({ script, spec: { max_rounds: 8 } })
    const calls = callsIn(await example.result())
    expect(calls.map((call) => call.class)).to.deep.equal(Array(5).fill('invalid_arguments'))
    expect(await readdir(example.at('books'))).to.deep.equal(['runs.csv'])
    expect(await runsOf(example)).to.deep.equal(['0,0.00,natural_end'])
  })

  it('says how a run ended that did not end by itself', async () => {
    const example = await opened({ script: [{ then: { tool_calls: [add('a', 1)] } }] })
    const { termination } = await example.result()
    expect(termination).to.deep.include({ reason: 'stopped', code: 'max_rounds' })
    expect(await runsOf(example)).to.deep.equal(['6,6.00,stopped'])
  })

  it('tells a file that cannot be written, in the result of the call and in a fault of the run', async () => {
    const example = await opened({ script: calling(add('a', 1)) })
    await mkdir(example.at('books', 'ledger.csv'), { recursive: true })
    const { events, result } = await example.stream()
    const [call] = callsIn(result)
    expect(call?.class).to.equal('execution_failed')
    expect(String(call?.output)).to.include('IsADirectoryError')
    const faults = events.filter(({ type }) => type === 'hook-fault')
    expect(faults[0]).to.include({ plugin: 'closing', key: 'close_run' })
    expect(result.status).to.equal('done')
  })

  it('reads a ledger that a person has edited, and says where it is wrong', async () => {
    const example = await opened({ script: calling(balance) })
    await mkdir(example.at('books'))
    await writeFile(example.at('books', 'ledger.csv'), 'date,text,amount\n2026-01-01,rent,-700\n')
    const [sum] = callsIn(await example.result())
    expect(sum?.output).to.deep.equal({ balance: '-700.00', entries: 1 })
    await writeFile(example.at('books', 'ledger.csv'), 'date,text,amount\n2026-01-01,rent,much\n')
    const [fault] = callsIn(await example.result())
    expect(String(fault?.output)).to.include('Entry 1 of the ledger has no amount')
  })

  describe('its plugins', () => {
    const folder = join(tmpdir(), `braidwork-clerk-${process.pid}`)
    const settings = {
      ledger: { file: join(folder, 'ledger.csv') },
      closing: { file: join(folder, 'runs.csv') },
    }
    after(() => rm(folder, { recursive: true, force: true }))

    for (const [module, calls] of [
      ['ledger.py', [add('bread', -4.5), balance]],
      ['closing.py', []],
    ] as const) {
      const options = { config: { settings }, calls }
      for (const { name, run } of pluginChecks(join(EXAMPLES, 'python-clerk', module), options))
        it(`${module} ${name}`, run)
    }
  })
})
