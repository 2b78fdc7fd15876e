import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { COMMAND } from './command.ts'

/** A file that is full as soon as something is written. */
const FULL = '/dev/full'
const ENV = { NO_COLOR: '1', NODE_OPTIONS: '', XDG_CONFIG_HOME: '/dev/null/none' }
const CHAT = ['chat', 'What is 2*3?', '--set', 'settings.scripted.delay_ms=0']

/** Runs the command with one of its outputs full. Resolves to its status and its other output. */
async function runInto(output: 'stdout' | 'stderr', args: readonly string[]) {
  await using full = await open(FULL, 'w')
  const outputs = output === 'stdout' ? ([full.fd, 'pipe'] as const) : (['pipe', full.fd] as const)
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: tmpdir(),
    env: { ...process.env, ...ENV },
    stdio: ['ignore', ...outputs],
  })
  const other = child.stdout ?? child.stderr
  const [[status], said] = await Promise.all([once(child, 'close'), other ? text(other) : ''])
  return { status: status as number | null, said }
}

describe('The command with a full output', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-full-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  before(function () {
    if (existsSync(FULL)) return
    process.stderr.write(`Full outputs are skipped: there is no ${FULL}\n`)
    this.skip()
  })

  for (const args of [CHAT, ['--version'], ['plugins', '--json']]) {
    it(`says that and why its output is not written: ${args[0]}`, async () => {
      const { status, said } = await runInto('stdout', args)
      expect(status).to.equal(1)
      expect(said).to.match(
        /^error The output could not be written: .*no space left on device.*\n$/m,
      )
    })
  }

  it('answers though it cannot write its notes', async () => {
    expect(await runInto('stderr', CHAT)).to.deep.equal({ status: 0, said: '2*3 = 6.\n' })
  })

  it('keeps the status of an error that it cannot tell', async () => {
    const { status } = await runInto('stderr', [...CHAT, '--provider', 'none'])
    expect(status).to.equal(2)
  })

  it('serves though it cannot write its log, and ends at a signal', async () => {
    await using full = await open(FULL, 'w')
    const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0'], {
      cwd: tmpdir(),
      env: { ...process.env, ...ENV, XDG_DATA_HOME: folder },
      stdio: ['ignore', 'pipe', full.fd],
    })
    const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string]
    for (let request = 0; request < 100; request++) {
      expect((await fetch(`${line.trim()}/v1/models`)).status).to.equal(200)
    }
    child.kill('SIGTERM')
    expect((await once(child, 'close'))[0]).to.equal(0)
  })
})
