import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { braidwork, COMMAND } from './command.ts'

/** A user that no system lists. */
const UNLISTED = 54_321

describe('the command of a user without a home folder', function () {
  this.timeout(60_000)
  let folder: string
  before(function () {
    if (process.getuid?.() === 0) return
    process.stderr.write(
      '"a user without a home folder" is skipped: only root may become another user\n',
    )
    this.skip()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-'))
    chmodSync(folder, 0o777)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function run(args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
      cwd: folder,
      uid: UNLISTED,
      gid: UNLISTED,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NO_COLOR: '1', ...variables },
    })
    return { status, out: stdout, err: stderr }
  }

  it('reads no config and no plugins of that user', () => {
    for (const variables of [{}, { HOME: '' }]) {
      const checked = run(['config', 'check'], variables)
      expect(checked).to.deep.equal({ status: 0, out: '0 errors, 0 warnings\n', err: '' })
      const listed = run(['plugins'], variables)
      expect([listed.status, listed.err]).to.deep.equal([0, ''])
      expect(listed.out).to.include('calculator')
    }
  })

  it('answers', () => {
    const { status, out, err } = run(['chat', 'hi'])
    expect([status, err]).to.deep.equal([0, ''])
    expect(out).to.include('scripted provider')
  })

  it('names the variables where a file must be written', () => {
    const stored = run(['serve', '--port', '0'])
    expect(stored).to.deep.equal({
      status: 2,
      out: '',
      err: 'error ENV_MISSING: There is no folder for your data, because the user of this process has no home folder. Set HOME, or XDG_DATA_HOME to the path of a folder, or set "server.store" in the config to a file or a database.\n',
    })
    const begun = run(['init'])
    expect(begun.status).to.equal(2)
    expect(begun.err).to.include('ENV_MISSING').and.include('XDG_CONFIG_HOME')
    expect(readdirSync(folder)).to.deep.equal([])
  })

  it('stores where the config says', () => {
    writeFileSync(join(folder, 'c.json'), '{"server": {"store": "store.db"}}')
    const issued = run(['tokens', 'issue', 'ada', '--config', 'c.json'])
    expect(issued.status).to.equal(0)
    expect(readdirSync(folder)).to.include('store.db')
  })
})

describe('the default store', () => {
  it('says how to name another place where nothing can be written', async () => {
    const env = { XDG_DATA_HOME: '/dev/null/none' }
    const { status, err } = await braidwork(['serve', '--port', '0'], { env })
    expect(status).to.equal(1)
    expect(err)
      .to.include('error STORAGE_FAILED: The storage "/dev/null/none/braidwork/conversations.db"')
      .and.include(
        'Set "server.store" in the config to a file that can be written or to a database, or XDG_DATA_HOME to a folder that can be written.',
      )
  })
})
