import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { installInto } from '../../../src/python/venvs/install.ts'
import type { Venv } from '../../../src/python/venvs/venvs.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { eachVenvFolder } from '../venv-folder.ts'

describe('an installation with pip', () => {
  let folder: string
  eachVenvFolder((made) => {
    folder = made.folder
  })

  /** The programs that run for an installation, where Python has a pip of this version. */
  async function programsWith(version: string, signal?: AbortSignal): Promise<readonly string[]> {
    const [base, into] = [join(folder, 'base', 'python'), join(folder, 'into')]
    const own = join(into, 'bin', 'python')
    for (const path of [base, own]) {
      await mkdir(dirname(path), { recursive: true })
      const text = `#!/bin/sh\necho "$0 $*" >> ${folder}/log\necho pip ${version} from there\n`
      await writeFile(path, text)
      await chmod(path, 0o755)
    }
    const venv = { needs: { packages: ['six'], alone: [] }, base: { executable: base } }
    const variables = { PATH: '/usr/bin:/bin' }
    await installInto(into, venv as unknown as Venv, { variables, signal })
    const log = await readFile(join(folder, 'log'), 'utf8')
    return log.replaceAll(`${folder}/`, '').trim().split('\n')
  }

  for (const version of ['22.3', '23.0.1', '100.0']) {
    it(`is done by the interpreter’s own pip ${version}, so the environment needs none`, async () => {
      const [, made, installed] = await programsWith(version)
      expect(made).to.equal('base/python -E -m venv --without-pip into')
      expect(installed).to.match(/^base\/python -E -m pip .*--python into\/bin\/python install /)
    })
  }

  for (const version of ['9.0.3', '22.2.2']) {
    it(`is done by a pip in the environment where the interpreter has pip ${version}`, async () => {
      const [, made, installed] = await programsWith(version)
      expect(made).to.equal('base/python -E -m venv into')
      expect(installed).to.match(/^into\/bin\/python -E -m pip .* install .*-- six$/)
    })
  }

  it('begins no program once it is stopped', async () => {
    const error = await errorOf(programsWith('22.3', AbortSignal.abort()))
    expect(error).to.include({ code: 'ABORTED' })
    const log = await readFile(join(folder, 'log'), 'utf8').catch(() => 'none')
    expect(log).to.equal('none')
  })
})
