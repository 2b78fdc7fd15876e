import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { makeWheel, projectOf, pythonHere, writePythonPlugin } from '../python/python-plugins.ts'

describe('braidwork plugins add', function () {
  this.timeout(60_000)
  let folder: string
  let env: CommandFolder['env']
  let run: CommandFolder['run']
  eachCommandFolder((made) => {
    ;({ folder, env, run } = made)
  })

  describe('with a Python plugin', () => {
    async function python(context: Mocha.Context) {
      return (await pythonHere()) ?? context.skip()
    }

    it('makes what it needs, and removes that with the last that needs it', async function () {
      const wheel = await makeWheel(await python(this), folder, 'word_one')
      await writePythonPlugin(join(folder, 'one'), projectOf([wheel]), 'one')
      await writePythonPlugin(join(folder, 'two'), projectOf([wheel]), 'two')
      const first = await run(['plugins', 'add', './one'])
      expect(first.status, first.err).to.equal(0)
      expect(first.out).to.match(
        /^made its virtual environment .*\/data\/braidwork\/environments\/[0-9a-f]+ for Python /,
      )
      expect((await run(['plugins'])).err, 'it is there').to.equal('')
      const second = await run(['plugins', 'add', './two'])
      expect(second.out).to.equal(`added feature "two" from ${join(folder, 'two')}\n`)
      expect((await run(['plugins', 'remove', './one'])).out).not.to.include('environment')
      expect((await run(['plugins', 'remove', './two'])).out).to.include(
        'removed its virtual environment',
      )
      expect(await readdir(join(folder, 'data', 'braidwork', 'environments'))).to.deep.equal([])
    })

    it('adds nothing where its packages cannot be had', async function () {
      await python(this)
      await writePythonPlugin(
        join(folder, 'words'),
        projectOf([`gone @ file://${folder}/gone-1.0-py3-none-any.whl`]),
      )
      const { status, err } = await run(['plugins', 'add', './words'])
      expect(status).to.equal(1)
      expect(err).to.match(
        /PYTHON_INSTALL_FAILED: The virtual environment of ".*words" could not be created/,
      )
      expect(existsSync(join(folder, 'config'))).to.equal(false)
      expect(await readdir(join(folder, 'data', 'braidwork', 'environments'))).to.deep.equal([])
    })

    it('stops at Ctrl-C and leaves nothing', async function () {
      await python(this)
      await writePythonPlugin(join(folder, 'words'), projectOf(['six']))
      const fifo = join(folder, 'bin', 'uv')
      await mkdir(join(folder, 'bin'))
      await writeFile(fifo, `#!/bin/sh\nkill -INT $PPID\nsleep 1000\n`)
      await chmod(fifo, 0o755)
      const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`
      const { status, out } = await run(['plugins', 'add', './words'], { env: { ...env, PATH } })
      expect(status).to.equal(130)
      expect(out).to.equal('')
      expect(existsSync(join(folder, 'config'))).to.equal(false)
      expect(await readdir(join(folder, 'data', 'braidwork', 'environments'))).to.deep.equal([])
    })

    it('keeps the list readable', async function () {
      await python(this)
      await writePythonPlugin(join(folder, 'words'), projectOf([]))
      await run(['plugins', 'add', './words'])
      const file = join(folder, 'config', 'braidwork', 'plugins.json')
      expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal({
        plugins: [join(folder, 'words')],
      })
    })
  })
})
