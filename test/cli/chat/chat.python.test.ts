import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pythonOf } from '../../helpers/python.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { braidwork } from '../command.ts'

describe('braidwork chat in a folder with Python plugins', function () {
  this.timeout(30_000)
  let folder: string
  let PYTHON_BIN: string

  before(async function () {
    const { executable } = await pythonOf(this)
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    PYTHON_BIN = join(folder, 'python')
    const script = `#!/bin/sh\ntouch '${folder}/started'\nexec '${executable}' "$@"\n`
    await writeFile(PYTHON_BIN, script)
    await chmod(PYTHON_BIN, 0o755)
  })
  after(() => rm(folder, { recursive: true }))

  const chat = (...more: readonly string[]) =>
    braidwork(['chat', 'My name is Ada.', ...more], { cwd: ROOT, env: { PYTHON_BIN } })

  it('starts no Python where none of them is asked for', async () => {
    expect((await chat()).status).to.equal(0)
    expect(await readdir(folder)).to.deep.equal(['python'])
  })

  it('starts it where one is', async () => {
    const { status, out } = await chat(
      '--set',
      'enabled_plugins=["word-filter"]',
      '--set',
      'settings.word-filter.words=["Ada"]',
    )
    expect(status).to.equal(0)
    expect(out).to.include('***').and.not.include('Ada')
    expect(await readdir(folder)).to.include('started')
  })

  describe('and one that prints, logs and throws', () => {
    const PLUGIN = `
import logging
kind = "feature"
name = "says"
config_schema = {"type": "object", "properties": {"key": {"type": "string", "writeOnly": True}}}

def edit_messages(messages, state, context):
    print("printed")
    logging.warning("warned of " + context.settings["key"])
    context.log("logged")
    raise KeyError(context.settings["key"])
`
    const says = async (...more: readonly string[]) => {
      const path = join(folder, 'says.py')
      await writeFile(path, PLUGIN)
      const settings = { says: { key: 'k-0123456789' } }
      const file = join(folder, 'says.json')
      await writeFile(file, JSON.stringify({ plugins: [path], settings }))
      return chat('--config', file, ...more)
    }

    it('shows its warnings, and the line of the plugin that threw', async () => {
      const { status, err } = await says()
      expect(status).to.equal(1)
      expect(err)
        .to.include('warn says: warned of ***\n')
        .and.match(/\nat .*says\.py:11\n/)
        .and.not.include('printed')
        .and.not.include('k-0123456789')
    })

    it('shows all of that and the traceback with --trace', async () => {
      const { err } = await says('--trace')
      expect(err)
        .to.include('info printed\n')
        .and.include('info says: logged\n')
        .and.match(/\nTraceback .*\n[\s\S]*in edit_messages[\s\S]*KeyError: '\*\*\*'\n/)
        .and.not.include('k-0123456789')
    })
  })
})
