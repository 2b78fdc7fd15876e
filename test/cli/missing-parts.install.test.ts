import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Differences, installPackages } from '../helpers/installation.ts'
import { runFile } from '../helpers/run-file.ts'
import { braidwork, type Ran } from './command.ts'

const POSTGRES = 'server.store=postgres://127.0.0.1:9/nothing'
const EXPORT = ['store', 'export', '--set', POSTGRES]
const SERVE = ['serve', '--port', '0']
const CHAT = ['chat', 'Hello']
const PYTHON_CHAT = [...CHAT, '--set', 'plugins=["./shout.py"]']

const SHOUT = `
class Shout:
    kind = "extension"
    name = "shout"
plugin = Shout()
`

/** Of all systems: a person has the one of theirs. */
async function binariesOfLibsql(): Promise<readonly string[]> {
  const names = await readdir(new URL('../../node_modules/@libsql/', import.meta.url))
  return names.map((name) => `@libsql/${name}`)
}

describe('braidwork without one of its parts', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await writeFile(join(folder, 'shout.py'), SHOUT)
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function run(args: readonly string[], differences: Differences): Promise<Ran> {
    const command = await installPackages(folder, differences)
    const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') }
    return braidwork(args, { command, cwd: folder, env })
  }

  for (const [name, args] of [
    ['commander', CHAT],
    ['ajv', ['settings']],
    ['jsonc-parser', ['settings', '--edit']],
    ['re2js', ['settings']],
    ['@clack/prompts', ['settings', '--edit']],
    ['hono', SERVE],
    ['pino', SERVE],
  ] as const) {
    it(`says in one line that "${name}" is missing, and ends with a status of failure`, async () => {
      const { status, out, err } = await run(args, { without: [name] })
      expect(err).to.equal(
        `error PACKAGE_MISSING: The command needs the package "${name}", which is not installed. Run "npm install ${name}".\n`,
      )
      expect(out).to.equal('')
      expect(status).to.equal(1)
    })
  }

  for (const [name, args, storage] of [
    ['libsql', SERVE, /^"\/.*conversations\.db"$/],
    ['pg', EXPORT, /^"postgres:\/\/127\.0\.0\.1:9\/nothing"$/],
  ] as const) {
    it(`says in one line which storage needs "${name}", and ends with a status of failure`, async () => {
      const { status, out, err } = await run(args, { without: [name] })
      const [, place = '', rest] =
        /^error PACKAGE_MISSING: The storage (".*") (.*\n)$/.exec(err) ?? []
      expect(place).to.match(storage)
      expect(rest).to.equal(
        `needs the package "${name}", which is not installed. Run "npm install ${name}".\n`,
      )
      expect(out).to.equal('')
      expect(status).to.equal(1)
    })
  }

  it('says the same of a part of one of its libraries', async () => {
    const without = await binariesOfLibsql()
    const { status, err } = await run(SERVE, { without, copied: ['libsql'] })
    expect(err).to.match(
      /^error PACKAGE_MISSING: The storage ".*" needs the package "(@libsql\/[\w-]+)", which is not installed\. Run "npm install \1"\.\n$/,
    )
    expect(status).to.equal(1)
  })

  for (const [name, copied] of [
    ['@braidwork/python', []],
    ['pythonia', ['@braidwork/python']],
  ] as const) {
    it(`says that a plugin in Python needs "${name}", and answers without the plugin`, async () => {
      const { status, out, err } = await run(PYTHON_CHAT, { without: [name], copied })
      expect(err).to.match(/^error PACKAGE_MISSING: Plugin ".*shout\.py" could not be loaded: /)
      expect(err).to.match(
        new RegExp(`: Plugins in Python need the package "${name}", which is not installed\\.`),
      )
      expect(err).to.contain(`Run "npm install ${name}".\n`)
      expect(err).not.to.contain('    at ')
      expect(out).to.contain('Hello')
      expect(status).to.equal(0)
    })
  }

  it('says that a plugin that comes with it is missing, and goes on without it', async () => {
    const { status, out, err } = await run(['plugins'], { without: ['@braidwork/tool-clock'] })
    expect(err).to.equal(
      'warning PACKAGE_MISSING: The package "braidwork" needs the package "@braidwork/tool-clock", which is not installed. Run "npm install @braidwork/tool-clock".\n',
    )
    expect(out).to.contain('calculator').and.not.to.contain('clock')
    expect(status).to.equal(0)
  })

  it('says how to install a plugin that comes with it where a config names that plugin', async () => {
    const args = [...CHAT, '--set', 'plugins=["clock"]']
    const { err } = await run(args, { without: ['@braidwork/tool-clock'] })
    expect(err).to.contain('error PLUGIN_NOT_LOADED: Plugin "clock" could not be loaded: ')
    expect(err).to.contain('It needs the package "@braidwork/tool-clock", which is not installed.')
  })

  for (const [name, place] of [
    ['libsql', ':memory:'],
    ['pg', 'postgres://127.0.0.1:9/nothing'],
  ] as const) {
    it(`has "openStorage" say the same of "${name}" to a program`, async () => {
      await installPackages(folder, { without: [name], copied: ['@braidwork/store'] })
      const { out, err } = await runFile(
        folder,
        'open.mjs',
        `import { HostError } from 'braidwork/plugin'
        import { openStorage } from 'braidwork/store'
        const error = await openStorage('${place}').catch((thrown) => thrown)
        console.log(HostError.is(error), error.code, error.message)`,
      )
      expect(err).to.equal('')
      expect(out).to.equal(
        `true PACKAGE_MISSING The storage "${place}" needs the package "${name}", which is not installed. Run "npm install ${name}".\n`,
      )
    })
  }

  // Node resolves all static imports before it runs any code. Only a top-level await could say more, and the test
  // below shows what it would break.
  it('leaves it to Node to name the package that "braidwork/store" stands for', async () => {
    await installPackages(folder, { without: ['@braidwork/store'] })
    const { status, err } = await runFile(folder, 'store.mjs', "import 'braidwork/store'")
    expect(status).to.equal(1)
    expect(err).to.contain("Cannot find package '@braidwork/store' imported from")
  })
})

describe('the exports of braidwork', () => {
  it('can be required by CommonJS, which a top-level await in any of them would prevent', async () => {
    const manifest = createRequire(import.meta.url)('../../src/cli/package.json') as {
      readonly exports: object
    }
    const names = Object.keys(manifest.exports).map((path) => path.replace(/^\./, 'braidwork'))
    const code = `for (const name of ${JSON.stringify(names)}) require(name)`
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    try {
      await installPackages(folder)
      const { status, err } = await runFile(folder, 'required.cjs', code)
      expect(status, err).to.equal(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
