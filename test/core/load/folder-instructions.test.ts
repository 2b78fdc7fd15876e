import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { folderInstructions } from '../../../src/core/load/folder-instructions.ts'
import { pin, revokeTrust } from '../../../src/core/load/trust.ts'
import { useConfigFolder } from '../../helpers/config-folder.ts'

describe('the instructions of a working directory', () => {
  const configFolder = useConfigFolder()
  let folder: string
  const at = (path: string) => join(folder, path)

  function write(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }

  const textsFor = (path: string) => folderInstructions(at(path)).map(({ text }) => text)

  beforeEach(() => {
    folder = configFolder()
    write('AGENTS.md', 'above')
    write('project/AGENTS.md', 'root')
    write('project/packages/web/AGENTS.md', 'web')
    mkdirSync(at('project/packages/web/src'))
  })

  it('CT-17 come from the folder and those above it, up to the trusted one', () => {
    pin(at('project'), {})
    expect(folderInstructions(at('project/packages/web/src'))).to.deep.equal([
      { path: 'AGENTS.md', text: 'root' },
      { path: 'packages/web/AGENTS.md', text: 'web' },
    ])
    expect(textsFor('project')).to.deep.equal(['root'])
    pin(folder, {})
    expect(textsFor('project')).to.deep.equal(['above', 'root'])
  })

  it('CT-17 are none where no folder is trusted, or trust was withdrawn', () => {
    expect(textsFor('project/packages/web')).to.deep.equal([])
    pin(at('project'), {})
    revokeTrust(at('project'))
    expect(textsFor('project/packages/web')).to.deep.equal([])
    pin(folder, {})
    expect(textsFor('project/packages/web'), 'a trusted folder above').to.deep.equal(['above'])
  })

  it('CT-17 are not those of a project that was put into a trusted folder', () => {
    pin(at('project'), {})
    for (const mark of ['.git/HEAD', 'braidwork.json']) {
      write(`project/${mark[1]}/deep/AGENTS.md`, 'foreign')
      write(`project/${mark[1]}/${mark}`, '{}')
      expect(textsFor(`project/${mark[1]}/deep`), mark).to.deep.equal(['root'])
    }
    pin(at('project/g'), {})
    expect(textsFor('project/g/deep'), 'trusted itself').to.deep.equal(['root', 'foreign'])
  })

  it('follow no link out of the trusted folder, and read no pipe or folder', () => {
    pin(at('project'), {})
    write('secret.txt', 'secret')
    mkdirSync(at('project/a/AGENTS.md'), { recursive: true })
    mkdirSync(at('project/a/b'))
    symlinkSync(at('secret.txt'), at('project/a/b/AGENTS.md'))
    mkdirSync(at('project/c'))
    symlinkSync(at('project/packages/web/AGENTS.md'), at('project/c/AGENTS.md'))
    expect(textsFor('project/a/b')).to.deep.equal(['root'])
    expect(textsFor('project/c'), 'a link within').to.deep.equal(['root', 'web'])
  })

  it('have at most 32 KiB, the nearest first, cut between two characters and marked', () => {
    pin(at('project'), {})
    write('project/AGENTS.md', 'ä'.repeat(20_000))
    write('project/packages/web/AGENTS.md', 'w'.repeat(1001))
    const [root, web] = folderInstructions(at('project/packages/web'))
    expect(web).to.deep.equal({ path: 'packages/web/AGENTS.md', text: 'w'.repeat(1001) })
    expect(root?.isCut).to.equal(true)
    expect(root?.text).to.equal('ä'.repeat((32 * 1024 - 1001 - 1) / 2))
    write('project/packages/web/AGENTS.md', 'w'.repeat(64 * 1024))
    const [none] = folderInstructions(at('project/packages/web'))
    expect(none).to.deep.equal({ path: 'AGENTS.md', text: '', isCut: true })
  })
})
