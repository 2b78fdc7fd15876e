import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfigChain } from '../../../src/core/load/config-file.ts'
import { bundledProgram } from '../../helpers/bundled-program.ts'
import { ROOT } from '../../helpers/source-files.ts'

/** Tells what each way of reading files comes to: a process of its own, for it may wait for ever. */
const READ = `
import { readConfigChain } from './src/core/load/config-file.ts'
import { readPackageJson } from './src/core/load/package-json.ts'
import { Pinning } from './src/core/load/pinning.ts'
import { readPyproject } from './src/core/load/pyproject.ts'
import { readNeeds } from './src/python/venvs/needs.ts'

const [config, folder] = process.argv.slice(2)
const pinning = new Pinning()
const ways = {
  config: () => readConfigChain(config),
  pinned: () => readConfigChain(config, (path) => pinning.read(path) ?? ''),
  package: () => readPackageJson(folder) ?? 'none',
  project: () => readPyproject(folder) ?? 'none',
  needs: () => readNeeds(folder),
}
for (const [name, read] of Object.entries(ways)) {
  try {
    console.log(name, JSON.stringify(await read()))
  } catch (error) {
    console.log(name, error.code, error.message)
  }
}
`

const ODD: { readonly [kind: string]: (path: string) => unknown } = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to a pipe': async (path) => {
    execFileSync('mkfifo', [`${path}.pipe`])
    await symlink(`${path}.pipe`, path)
  },
  'a link to a device without an end': (path) => symlink('/dev/zero', path),
  'a folder': (path) => mkdir(path),
}

describe('what is no regular file, where a file is read', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(async function () {
    if (process.platform === 'win32') this.skip()
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is read where a person names it as the config', async () => {
    const pipe = join(folder, 'config')
    execFileSync('mkfifo', [pipe])
    const writer = spawn('sh', ['-c', `printf '{"model": "m"}' > "$0"`, pipe])
    const [{ config } = {}] = readConfigChain(pipe)
    expect(config).to.deep.equal({ model: 'm' })
    await once(writer, 'close')
  })

  for (const [kind, make] of Object.entries(ODD)) {
    it(`is refused at once, and not waited for: ${kind}`, async () => {
      const config = join(folder, 'braidwork.json')
      await writeFile(config, '{"extends": "./base.json"}')
      for (const name of ['base.json', 'package.json', 'pyproject.toml']) {
        await make(join(folder, name))
      }
      const args = [await bundledProgram(READ), config, folder]
      const options = { cwd: ROOT, encoding: 'utf8', timeout: 15_000, maxBuffer: 1 << 20 } as const
      const { stdout, stderr } = spawnSync(process.execPath, args, options)
      const refused = `CONFIG_INVALID ${join(folder, 'base.json')}: the config file cannot be read: it is not a regular file`
      expect(stdout.trim().split('\n'), stderr).to.deep.equal([
        `config ${refused}`,
        `pinned ${refused}`,
        'package "none"',
        'project "none"',
        `needs MANIFEST_INVALID pyproject.toml of "${folder}" is not valid at /: it is not a regular file.`,
      ])
    })
  }
})
