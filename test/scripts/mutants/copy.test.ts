import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { copyRepository } from '../../../scripts/mutants/copy.ts'

describe('the copy of a repository for mutants', () => {
  let folder: string
  let root: string
  let copy: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mutants-'))
    root = join(folder, 'root')
    copy = join(folder, 'copy')
    mkdirSync(join(root, 'node_modules'), { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('has files, folders and links, without those of the names that are left out', () => {
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'src', 'one.ts'), 'one')
    mkdirSync(join(root, '.cache'))
    symlinkSync('src', join(root, 'link'))
    copyRepository(root, copy, new Set(['node_modules', '.cache']))
    expect(readdirSync(copy).sort()).to.deep.equal(['link', 'node_modules', 'src'])
    expect(readFileSync(join(copy, 'src', 'one.ts'), 'utf8')).to.equal('one')
    expect(readlinkSync(join(copy, 'link'))).to.match(/src$/)
  })

  it('leaves out sockets and pipes', async function () {
    if (process.platform === 'win32') this.skip()
    const server = createServer().listen(join(root, 'socket'))
    await once(server, 'listening')
    try {
      execFileSync('mkfifo', [join(root, 'pipe')])
      copyRepository(root, copy, new Set(['node_modules']))
    } finally {
      server.close()
    }
    expect(readdirSync(copy)).to.deep.equal(['node_modules'])
  })
})
