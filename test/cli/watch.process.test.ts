import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { braidwork, COMMAND } from './command.ts'

const PLUGIN = `import { word } from './word.mjs'
export default {
  kind: 'extension',
  name: 'marked',
  fromNative: (_natives, core) =>
    core.map((item) => (item.delta ? { ...item, delta: item.delta.replace('hello', word) } : item)),
}
`
const wordModule = (word: string) => `export const word = '${word}'\n`

describe('braidwork chat --watch', function () {
  this.timeout(30_000)
  let folder: string
  let config: readonly string[]

  beforeEach(async () => {
    config = ['--config', 'config.json']
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await writeFile(join(folder, 'marked.mjs'), PLUGIN)
    await writeFile(join(folder, 'word.mjs'), wordModule('first'))
    await writeFile(join(folder, 'config.json'), '{"plugins": ["./marked.mjs"]}')
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** A conversation whose turns are asked for one by one; each gives a line of the answer. */
  function converse(...more: readonly string[]) {
    const script = JSON.stringify([{ then: { text: 'hello' } }])
    const settings = ['--set', `settings.scripted.script=${script}`]
    const args = [COMMAND, 'chat', ...config, ...settings, ...more]
    const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(folder, 'xdg') }
    const child = spawn(process.execPath, args, { cwd: folder, env })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return {
      errors: () => errors,
      ask: async (): Promise<string> => {
        child.stdin.write('Say it\n')
        return String((await lines.next()).value)
      },
      end: async (): Promise<unknown> => {
        child.stdin.end()
        const [status] = (await once(child, 'close')) as unknown[]
        return status
      },
    }
  }

  /** Changes a file, later than the clock of a file system can tell apart. */
  async function change(name: string, text: string, seconds: number): Promise<void> {
    const path = join(folder, name)
    await writeFile(path, text)
    const time = new Date(Date.now() + seconds * 1000)
    await utimes(path, time, time)
  }

  it('loads a plugin again when it, or what it imports, changed on disk', async () => {
    const talk = converse('--watch')
    expect(await talk.ask()).to.equal('first')
    expect(await talk.ask()).to.equal('first')
    await change('word.mjs', wordModule('second'), 5)
    expect(await talk.ask()).to.equal('second')
    await change('marked.mjs', PLUGIN.replace('word)', 'word + "!")'), 10)
    expect(await talk.ask()).to.equal('second!')
    expect(await talk.end()).to.equal(0)
    expect(talk.errors().match(/loaded again .*marked\.mjs/g)).to.have.length(2)
  })

  it('says what is wrong with a plugin that cannot be loaded, and goes on without it', async () => {
    const talk = converse('--watch')
    expect(await talk.ask()).to.equal('first')
    await change('word.mjs', 'export const', 5)
    expect(await talk.ask()).to.equal('hello')
    expect(talk.errors()).to.include('PLUGIN_NOT_LOADED')
    await change('word.mjs', wordModule('mended'), 10)
    expect(await talk.ask()).to.equal('mended')
    expect(await talk.end()).to.equal(0)
  })

  it('takes plugins of a trusted folder as they are changed, and asks at the next start', async () => {
    config = []
    await writeFile(join(folder, 'braidwork.json'), '{"plugins": ["./marked.mjs"]}')
    const env = { XDG_CONFIG_HOME: join(folder, 'xdg') }
    await braidwork(['trust'], { cwd: folder, env })
    const talk = converse('--watch')
    expect(await talk.ask()).to.equal('first')
    await change('word.mjs', wordModule('second'), 5)
    expect(await talk.ask()).to.equal('second')
    expect(await talk.end()).to.equal(0)
    const { status, err } = await braidwork(['chat', 'hi', '--watch'], { cwd: folder, env })
    expect(status).to.equal(2)
    expect(err).to.include('word.mjs" changed since its folder was trusted')
  })

  it('keeps to what was loaded without the option', async () => {
    const talk = converse()
    expect(await talk.ask()).to.equal('first')
    await change('word.mjs', wordModule('second'), 5)
    expect(await talk.ask()).to.equal('first')
    expect(await talk.end()).to.equal(0)
  })
})
