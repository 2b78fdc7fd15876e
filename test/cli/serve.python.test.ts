import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pythonOf } from '../helpers/python.ts'
import { Serving } from './serving.ts'

const PLUGIN = `
import logging
kind = "tool"
name = "says"

def look_up(city: str):
    """Looks up a city."""
    print("printed", city)
    logging.getLogger("app").info("noted %s", city)
    logging.getLogger("app").warning("a service is slow")
    raise LookupError("no such city: " + city)

functions = [look_up]
`

describe('the log of braidwork serve with a Python plugin', function () {
  this.timeout(60_000)
  let folder: string
  before(async function () {
    await pythonOf(this)
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await writeFile(join(folder, 'says.py'), PLUGIN)
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** The lines of the log after one call of the tool. */
  async function logOf(server: object): Promise<readonly { readonly [fact: string]: unknown }[]> {
    const call = { name: 'look_up', input: { city: 'Xyzzy' } }
    const script = [{ when: { equals: 'go', step: 1 }, then: { tool_calls: [call] } }]
    const config = {
      plugins: ['./says.py', 'scripted'],
      settings: { scripted: { delay_ms: 0, script } },
      server: { store: 'memory', models: { m: { config: { model: 'scripted-1' } } }, ...server },
    }
    const file = join(folder, 'config.json')
    await writeFile(file, JSON.stringify(config))
    const serving = new Serving(folder, ['--config', file, '--port', '0'])
    const address = await serving.address()
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'go' }] }),
    })
    expect(await response.text()).to.include('no such city')
    await serving.stop('SIGTERM')
    const lines = serving.err.split('\n').filter((line) => line.startsWith('{'))
    return lines.map((line) => JSON.parse(line) as { readonly [fact: string]: unknown })
  }

  it('has its warnings and the place of its error, and nothing that quotes a request', async () => {
    const log = await logOf({})
    const warning = log.find(({ msg }) => msg === 'a service is slow')
    expect(warning).to.include({ level: 40, plugin: 'says', logger: 'app', from: 'python' })
    const failure = log.find(({ tool }) => tool === 'look_up')
    expect(failure).to.include({ level: 40, plugin: 'says', error: 'LookupError' })
    expect(failure?.['place']).to.match(/says\.py:11$/)
    expect(JSON.stringify(log)).to.not.include('Xyzzy')
  })

  it('has all that it prints and logs, and its traceback, where content may be logged', async () => {
    const log = await logOf({ log_content: true })
    expect(log.map(({ msg }) => msg)).to.include.members(['printed Xyzzy', 'noted Xyzzy'])
    const failure = log.find(({ tool }) => tool === 'look_up')
    expect(failure?.['stack']).to.include('Traceback').and.include('no such city: Xyzzy')
  })
})
