import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { commitHere } from '../../scripts/commit-sample.ts'
import { ROOT } from '../helpers/source-files.ts'

const GIT_DIR = process.env['GIT_DIR']

describe('the commit by which tests choose samples', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'commit-'))
  })
  after(() => {
    if (GIT_DIR === undefined) delete process.env['GIT_DIR']
    else process.env['GIT_DIR'] = GIT_DIR
    rmSync(folder, { recursive: true })
  })

  it('stays the same where another commit is made while tests run', function () {
    // A copy of the sources has no commit.
    if (!existsSync(join(ROOT, '.git'))) this.skip()
    const first = commitHere()
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
    git('init', '--quiet')
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
    git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'Next')
    process.env['GIT_DIR'] = join(folder, '.git')
    expect(commitHere()).to.equal(first)
  })
})
