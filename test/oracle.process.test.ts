import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { fixture, output } from './oracle/output.ts'

function onPath(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, program)).find(existsSync)
  if (found === undefined) throw new Error(`${program} is not on the PATH`)
  return found
}

describe('npm run oracle', function () {
  this.timeout(60_000)
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-oracle-'))
    for (const program of ['node', 'npm', 'sh']) symlinkSync(onPath(program), join(folder, program))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('prints the lines that are kept, with no python on the PATH', () => {
    const env = { ...process.env, PATH: folder }
    expect(spawnSync('python3', ['--version'], { env }).error).to.include({ code: 'ENOENT' })
    const printed = output('npm', ['run', '--silent', 'oracle'], {
      env,
      input: fixture('scenarios.jsonl'),
    })
    expect(printed).to.equal(fixture('expected.jsonl'))
  })
})
