import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMAND } from './command.ts'

describe('npx braidwork serve', function () {
  this.timeout(30_000)
  let folder: string
  let npx: ChildProcess

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-npx-'))
    const bin = join(folder, 'node_modules/.bin')
    await mkdir(bin, { recursive: true })
    await symlink(COMMAND, join(bin, 'braidwork'))
    await chmod(COMMAND, 0o755)
    await writeFile(join(folder, 'package.json'), '{}')
    await writeFile(join(folder, 'braidwork.json'), '{ "provider": "scripted" }')
  })
  after(async () => {
    npx.kill('SIGKILL')
    await rm(folder, { recursive: true, maxRetries: 3 })
  })

  const answers = async (url: string) =>
    fetch(`${url}/health/live`).then(
      () => true,
      () => false,
    )

  it('ends with npx when npx gets a SIGTERM', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', XDG_CONFIG_HOME: '/dev/null/none' }
    const args = ['--no', 'braidwork', 'serve', '--port', '0', '--config', 'braidwork.json']
    npx = spawn('npx', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await once(npx.stdout as NodeJS.ReadableStream, 'data')) as [unknown]
    const url = String(line).trim()
    expect(await answers(url), url).to.equal(true)
    // The connection of a server ends with its process.
    const connection = connect(Number(new URL(url).port), '127.0.0.1')
    await once(connection, 'connect')
    const ended = once(connection, 'close')
    npx.kill('SIGTERM')
    await ended
    expect(await answers(url)).to.equal(false)
  })
})
