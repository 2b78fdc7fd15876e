import { expect } from 'chai'
import { HeldLog } from '../../src/cli/held-log.ts'
import { hostLog } from '../../src/cli/host-log.ts'
import type { Log } from '../../src/plugin/index.ts'

type Entry = Parameters<Log>[0]

describe('the log of the host of a server', () => {
  const kept = (entries: readonly Entry[], logsContent = false): readonly Entry[] => {
    const lines: Entry[] = []
    for (const entry of entries) {
      const log = hostLog((line) => void lines.push(line), logsContent)
      log(entry)
    }
    return lines
  }
  const PRINTED: Entry = { level: 'info', message: 'asked xyzzy', from: 'python' }
  const RECORD: Entry = { ...PRINTED, level: 'warn', plugin: 'p', logger: 'app' }
  const FAILED: Entry = {
    level: 'warn',
    message: 'Tool "t" of "p" threw at /p.py:3: ValueError: xyzzy',
    plugin: 'p',
    tool: 't',
    error: 'ValueError',
    place: '/p.py:3',
    stack: 'Traceback (most recent call last):\nValueError: xyzzy',
  }
  const BROKEN: Entry = {
    level: 'error',
    message: 'a plugin has broken this interpreter: why',
    code: 'PYTHON_CRASHED',
    from: 'python',
  }

  it('has what plugins print only where content may be logged, and tells once that it has not', () => {
    const lines: Entry[] = []
    const log = hostLog((line) => void lines.push(line), false)
    log(PRINTED)
    log({ ...PRINTED, level: 'warn' })
    expect(lines).to.have.length(1)
    expect(lines[0]?.message).to.include('"server.log_content"')
    expect(kept([PRINTED], true)).to.deep.equal([PRINTED])
  })

  it('has warnings and errors of Python, and the notice of a broken interpreter', () => {
    expect(kept([RECORD, BROKEN])).to.deep.equal([RECORD, BROKEN])
    expect(kept([{ ...RECORD, level: 'info' }])[0]?.message).to.not.include('xyzzy')
  })

  it('has no traceback in a record, but the class and the place of the exception', () => {
    const message = 'it failed\nTraceback (most recent call last):\n  …\nValueError: xyzzy'
    const facts = { error: 'ValueError', place: '/p.py:3' }
    expect(kept([{ ...RECORD, ...facts, message }])).to.deep.equal([
      { ...RECORD, ...facts, message: 'it failed' },
    ])
  })

  it('has the tool, the class and the place of an error, and its words where content may be logged', () => {
    const { stack: _, ...facts } = FAILED
    expect(kept([FAILED])).to.deep.equal([
      { ...facts, message: 'Tool "t" of "p" threw ValueError at /p.py:3.' },
    ])
    expect(kept([FAILED], true)).to.deep.equal([FAILED])
  })

  it('has all that plugins log themselves', () => {
    const entry: Entry = { level: 'info', message: 'mine', plugin: 'p' }
    expect(kept([entry])).to.deep.equal([entry])
  })
})

describe('a log that is held', () => {
  it('writes its entries in order once it is told where', () => {
    const held = new HeldLog()
    const lines: string[] = []
    held.log({ level: 'info', message: 'first' })
    held.goTo(({ message }) => void lines.push(message))
    held.log({ level: 'info', message: 'second' })
    expect(lines).to.deep.equal(['first', 'second'])
  })
})
