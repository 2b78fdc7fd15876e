import { appendFile, mkdir } from 'node:fs/promises'
import { expect } from 'chai'
import {
  eachInstalledFolder,
  type InstalledFolder,
  manifestOf,
  marking,
} from './installed-folder.ts'

describe('trust in a folder', function () {
  this.timeout(60_000)
  let folder: string
  let at: InstalledFolder['at']
  let write: InstalledFolder['write']
  let run: InstalledFolder['run']
  eachInstalledFolder((made) => {
    ;({ folder, at, write, run } = made)
  })

  describe('that installs braidwork', () => {
    beforeEach(async () => {
      await write('plugins/mark.mjs', `import './lib/part.mjs'\n${marking('mark')}`)
      await write('plugins/lib/part.mjs', `export { x } from "../x.mjs"\n`)
      await write('plugins/x.mjs', 'export const x = 1\n')
      await write('base.json', { seed: 7 })
      await write('braidwork.json', { extends: './base.json', plugins: ['./plugins/mark.mjs'] })
      expect((await run(['config', 'show'])).err).to.equal('mark ran\n')
    })

    const CHANGES = [
      'braidwork.json',
      'base.json',
      'plugins/mark.mjs',
      'plugins/lib/part.mjs',
      'plugins/x.mjs',
    ]
    for (const path of CHANGES) {
      it(`asks again when ${path} changed, which it names, and takes it by one command`, async () => {
        await appendFile(at(path), '\n')
        for (const args of [['config', 'show'], ['tools'], ['settings']]) {
          const { status, err } = await run(args)
          expect(status).to.equal(0)
          expect(err).not.to.include('mark ran')
          expect(err).to.include(path === 'braidwork.json' ? 'it changed' : `"${at(path)}" changed`)
          expect(err).to.include('accept it with "braidwork trust --update"')
        }
        // Going on without it would be another answer than was meant, and another server.
        for (const args of [
          ['chat', 'hi'],
          ['serve', '--port', '0'],
        ]) {
          const { status, out, err } = await run(args)
          expect([status, out]).to.deep.equal([2, ''])
          expect(err).to.include('CONFIG_INVALID').and.include('braidwork trust --update')
        }
        expect((await run(['config', 'check'])).status).to.equal(2)
        expect((await run(['trust', '--update'])).out).to.equal(
          `trusted, as it is now:\n  ${at(path)}\n`,
        )
        expect((await run(['config', 'show'])).err).to.equal('mark ran\n')
        expect((await run(['trust', '--update'])).out).to.equal(
          'nothing changed since it was trusted\n',
        )
      })
    }

    it('names the folder in that command where it runs elsewhere', async () => {
      await appendFile(at('base.json'), '\n')
      await mkdir(at('deep'))
      const { err } = await run(['config', 'show'], at('deep'))
      expect(err).to.include(`braidwork trust --update ${folder}`)
    })

    it('asks when a second config, or a module of a new name, comes to stand beside', async () => {
      await write('braidwork.jsonc', { plugins: ['./evil.mjs'] })
      await write('evil.mjs', marking('evil'))
      expect((await run(['config', 'show'])).err).to.include(`"${at('braidwork.jsonc')}" is new`)
    })

    it('is out of reach of a model that writes files: nothing that runs next is written', async () => {
      const paths = [
        'braidwork.json',
        'braidwork.jsonc',
        'package.json',
        'base.json',
        'plugins/mark.mjs',
        'plugins/x.mjs',
        'added/index.mjs',
        '.mocharc.cjs',
        'downloads/braidwork.json',
      ]
      await write('added/package.json', manifestOf('added'))
      await write('added/index.mjs', marking('added'))
      await run(['plugins', 'add', './added'])
      const calls = [...paths, 'notes.txt'].map((path) => ({
        name: 'write_file',
        input: { path, content: 'process.stderr.write("evil ran")' },
      }))
      const script = [
        { when: { tool: 'write_file' }, then: { text: 'done' } },
        { then: { tool_calls: calls } },
      ]
      await write('braidwork.json', {
        extends: './base.json',
        plugins: ['./plugins/mark.mjs', '@braidwork/tool-files'],
        enabled_plugins: ['files'],
        settings: { files: { root: folder, write: true }, scripted: { script, delay_ms: 0 } },
      })
      await run(['trust', '--update'])
      const { err } = await run(['chat', 'write'])
      expect(err.match(/✗ write_file: .*programs obey or execute/g)).to.have.length(paths.length)
      expect(err).to.include('← write_file: {"path":"notes.txt"')
      const checked = await run(['config', 'check'])
      expect(checked.err).not.to.include('evil ran').and.not.include('FOLDER_UNTRUSTED')
      expect(checked.status).to.equal(0)
    })

    it('is taken back, and stays so until it is given again', async () => {
      expect((await run(['trust', '--revoke'])).out).to.include('no longer trusted')
      const { err } = await run(['config', 'show'])
      expect(err).to.include('not trusted yet').and.not.include('mark ran')
      expect((await run(['trust', '--update'])).status).to.equal(2)
      await run(['trust'])
      expect((await run(['config', 'show'])).err).to.equal('mark ran\n')
    })
  })

  it('leaves out a package that came since, and asks when a module of its own changed', async () => {
    await write('package.json', {
      dependencies: { braidwork: '*', 'pkg-late': '*' },
      workspaces: ['own/*'],
    })
    await write('own/early/package.json', manifestOf('early'))
    await write('own/early/index.mjs', marking('early'))
    expect((await run(['config', 'show'])).err).to.equal('early ran\n')
    await write('node_modules/pkg-late/package.json', manifestOf('late'))
    await write('node_modules/pkg-late/index.mjs', marking('late'))
    const { err } = await run(['config', 'show'])
    expect(err).to.include(`"${at('node_modules/pkg-late')}" is new since`)
    expect(err).to.include('early ran').and.not.include('late ran')
    await run(['trust', '--update'])
    expect((await run(['config', 'show'])).err)
      .to.include('early ran')
      .and.include('late ran')
    await appendFile(at('own/early/index.mjs'), '//\n')
    const changed = await run(['config', 'show'])
    expect(changed.err).to.include(`"${at('own/early/index.mjs')}" changed`)
    expect(changed.err).not.to.include('ran')
    // What npm brought may change as npm changes it.
    await run(['trust', '--update'])
    await appendFile(at('node_modules/pkg-late/index.mjs'), '//\n')
    expect((await run(['config', 'show'])).err).to.include('late ran')
  })
})
