import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMAND } from '../cli/command.ts'
import { BLOCKS } from './guide.ts'

const BRAIDWORK = `"${process.execPath}" "${COMMAND}"`
const SERVE = 'npx braidwork serve --port 8787'
const ADDRESS = 'http://127.0.0.1:8787'

/** Ids and times are those of the day on which the guide was written. */
function timeless(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/"created":\d+/g, '"created":TIME')
}

describe('the guide to the server', function () {
  this.timeout(30_000)
  let folder: string
  let child: ChildProcess
  let env: NodeJS.ProcessEnv
  let url: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-guide-'))
    const own = { XDG_CONFIG_HOME: '/dev/null/none', XDG_DATA_HOME: folder }
    env = { ...process.env, ...own, NO_COLOR: '1', NODE_OPTIONS: '' }
    const command = `exec ${runnable(SERVE).replace('8787', '0')}`
    child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [unknown]
    url = String(line).trim()
  })
  after(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).to.deep.equal([0, null])
    rmSync(folder, { recursive: true })
  })

  /** A command of the guide, of this braidwork and for this server. */
  function runnable(command: string): string {
    return command.replaceAll('npx braidwork', BRAIDWORK).replaceAll(ADDRESS, url)
  }

  function shell(command: string): Promise<string> {
    return new Promise((done) => {
      execFile('sh', ['-c', `${command} 2>&1`], { cwd: folder, env }, (_error, out) => done(out))
    })
  }

  it('has commands that print what it says', async () => {
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    const commands = BLOCKS.flatMap(({ language, code }, at) =>
      language === 'sh' && code !== SERVE ? [[code, BLOCKS[at + 1]] as const] : [],
    )
    expect(commands).to.have.length.of.at.least(2)
    const hasCurl = spawnSync('curl', ['--version']).status === 0
    if (!hasCurl) process.stderr.write('commands of curl are skipped: there is none here\n')
    for (const [command, output] of commands) {
      if (command.startsWith('curl') && !hasCurl) continue
      expect(output?.language, command).to.equal('text')
      expect(timeless(await shell(runnable(command))).trim()).to.equal(timeless(output?.code ?? ''))
    }
  })
})
