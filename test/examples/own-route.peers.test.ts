import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import {
  type BraidworkServer,
  createServer,
  type Listening,
  listen,
} from '../../src/server/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { ROOT } from '../helpers/source-files.ts'
import { needsClients } from '../server/wire/ui-message-stream/chat-clients.ts'

const run = promisify(execFile)
const EXAMPLES = join(ROOT, 'examples/own-route')
const PEERS = join(ROOT, 'test/peers/node_modules')
const APPS = ['hono.mjs', 'express.mjs', 'next/app/api/chat/route.js', 'script.mjs'] as const

/** Packages that the examples import, and where they are installed here. */
const PACKAGES: { readonly [name: string]: string } = {
  braidwork: join(ROOT, 'node_modules/braidwork'),
  '@braidwork': join(ROOT, 'node_modules/@braidwork'),
  hono: join(ROOT, 'node_modules/hono'),
  zod: join(ROOT, 'node_modules/zod'),
  express: join(PEERS, 'express'),
  ai: join(PEERS, 'ai-7'),
  '@ai-sdk': join(PEERS, '@ai-sdk'),
}

/** Asks an application as a chat page does, and prints the whole answer. */
const ASK = `
const [, , path] = process.argv
const app = await import(path)
const body = JSON.stringify({
  id: 'talk',
  messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'How is the weather in Rome?' }] }],
  trigger: 'submit-message',
})
const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
const ask = async () => {
  if (app.POST) return app.POST(new Request('http://localhost/api/chat', init))
  if (app.app.fetch) return app.app.request('/api/chat', init)
  const http = app.app.listen(0, '127.0.0.1')
  await new Promise((resolve) => http.once('listening', resolve))
  return fetch('http://127.0.0.1:' + http.address().port + '/api/chat', init)
}
if (app.app ?? app.POST) {
  const response = await ask()
  console.log(await response.text())
  process.exit(0)
}
`

const linesOf = async (path: string) =>
  (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '').length

describe('the examples of own routes', function () {
  this.timeout(60_000)
  let folder: string
  let host: Host
  let server: BraidworkServer
  let api: Listening

  before(async function () {
    needsClients(this)
    // The model API of both: it calls the tool of its client, and then says what that answered.
    const script = [
      { when: { tool: 'weather' }, then: { text: 'It is: {{result.weather}}' } },
      { then: { tool_calls: [{ name: 'weather', input: { city: 'Rome' } }] } },
    ]
    host = await scriptedHost([], { settings: { scripted: { script, delay_ms: 0 } } })
    const anonymous = { id: 'ada', role: 'user' } as const
    const models = { 'gpt-5': {} }
    server = await createServer({ host, storage: memoryStorage(), anonymous, models })
    api = await listen(server, { port: 0 })
    folder = await mkdtemp(join(tmpdir(), 'braidwork-examples-'))
    await cp(EXAMPLES, folder, { recursive: true })
    await writeFile(join(folder, 'ask.mjs'), ASK)
    await writeFile(join(folder, 'package.json'), '{"type": "module"}')
    const modules = join(folder, 'node_modules')
    await mkdir(modules)
    for (const [name, path] of Object.entries(PACKAGES)) await symlink(path, join(modules, name))
  })
  after(async () => {
    await api?.close()
    await host?.close()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  /** Runs an example against the API of the tests: its address is all that is changed. */
  async function answerOf(app: string): Promise<string> {
    const path = join(folder, app)
    const base = `${api.url}/v1`
    const settings = `settings: { openai: { base_url: '${base}' } }`
    const text = await readFile(path, 'utf8')
    await writeFile(
      path,
      text.replace("{ provider: 'openai',", `{ ${settings}, provider: 'openai',`),
    )
    const env = { ...process.env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: base, NODE_OPTIONS: '' }
    const { stdout } = await run(process.execPath, ['ask.mjs', path], { cwd: folder, env })
    return stdout
  }

  for (const app of APPS) {
    for (const by of ['', 'ai-sdk/']) {
      it(`answer with the result of the tool: ${by}${app}`, async () => {
        const said = await answerOf(`${by}${app}`)
        if (app === 'script.mjs') expect(said.trim()).to.include('Sunny in Rome.')
        else {
          expect(said).to.include('Sunny in Rome.').and.include('"type":"finish"')
          expect(said).to.include('[DONE]').and.not.include('"type":"error"')
        }
      })
    }

    // A script has a host to open and to close, which AI SDK does not have.
    if (app === 'script.mjs') continue
    it(`has no more lines than with AI SDK alone: ${app}`, async () => {
      const own = await linesOf(join(EXAMPLES, app))
      const others = await linesOf(join(EXAMPLES, `ai-sdk/${app}`))
      expect(own).to.be.at.most(others)
    })
  }
})
