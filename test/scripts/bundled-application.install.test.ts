import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { build } from 'esbuild'
import { ROOT } from '../helpers/source-files.ts'

const run = promisify(execFile)

/** Calls a tool that fails, because the host looks for its own folder then. */
const PROGRAM = `
import { createHost } from 'braidwork'
import { run, tool } from 'braidwork/agent'
import { asLanguageModel } from 'braidwork/ai-sdk'
import { createServer, LOCAL } from 'braidwork/server'
import { memoryStorage } from 'braidwork/store'
import openai from '@braidwork/provider-openai'
import scripted from '@braidwork/provider-scripted'

const script = [
  { when: { tool: 'weather' }, then: { text: 'It is: {{result.weather}}' } },
  { then: { tool_calls: [{ name: 'weather', input: {} }] } },
]
const config = { provider: 'scripted', settings: { scripted: { script } } }
const host = await createHost({ plugins: [openai, scripted], config })
const weather = tool({
  name: 'weather',
  description: 'The weather.',
  input: { type: 'object' },
  execute: () => { throw new Error('no weather today') },
})
const { messages } = await run(host, { messages: 'hi', tools: [weather] }).result
const opened = await host.open({})
const server = await createServer({ host, storage: memoryStorage(), anonymous: LOCAL })
const { status } = await server.fetch(new Request('http://localhost/v1/models'))
console.log(JSON.stringify([messages.at(-1).parts, asLanguageModel(opened).provider, status]))
opened.end()
await server.close()
await host.close()
`

describe('an application that a bundler made', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(ROOT, '.cache', 'bundled-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('runs where the bundler knows no folder of a module, as that of Next.js', async () => {
    const outfile = join(folder, 'app.mjs')
    await build({
      stdin: { contents: PROGRAM, resolveDir: ROOT },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      // The built packages, and not the sources to which tsconfig.json leads.
      tsconfigRaw: '{}',
      external: ['libsql', '@opentelemetry/api'],
      define: { 'import.meta.dirname': 'undefined', 'import.meta.filename': 'undefined' },
      // CommonJS packages in a bundle of modules.
      banner: {
        js: "import { createRequire as requiring } from 'node:module'; const require = requiring(import.meta.url)",
      },
      logLevel: 'error',
    })
    const { stdout } = await run(process.execPath, [outfile], { cwd: folder })
    const [[part], provider, status] = JSON.parse(stdout)
    expect(part.text).to.include('no weather today')
    expect([provider, status]).to.deep.equal(['braidwork.scripted', 200])
  })
})
