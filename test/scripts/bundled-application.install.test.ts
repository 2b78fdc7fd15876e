import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type BuildOptions, build } from 'esbuild'
import { installPackages } from '../helpers/installation.ts'
import { optionalPackages } from '../helpers/optional-packages.ts'
import { ROOT } from '../helpers/source-files.ts'

const run = promisify(execFile)

/** Calls a tool that fails, because the host looks for its own folder then. */
const PROGRAM = `
import { createHost } from 'braidwork'
import { run, tool } from 'braidwork/agent'
import { asLanguageModel } from 'braidwork/ai-sdk'
import { createServer, LOCAL } from 'braidwork/server'
import { openStorage } from 'braidwork/store'
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
const storage = await openStorage('chats.db')
const server = await createServer({ host, storage, anonymous: LOCAL })
const { status } = await server.fetch(new Request('http://localhost/v1/models'))
console.log(JSON.stringify([messages.at(-1).parts, asLanguageModel(opened).provider, status]))
opened.end()
await server.close()
await storage.close()
await host.close()
`

/** Uses what loads packages in CommonJS later: schemas, structured output, files of agents, metrics. */
const LOADING_LATER = `
import { createHost, textOf } from 'braidwork'
import { readAgentFiles, run } from 'braidwork/agent'
import { createServer, LOCAL } from 'braidwork/server'
import { memoryStorage } from 'braidwork/store'
import scripted from '@braidwork/provider-scripted'
import structuredOutput from '@braidwork/feature-structured-output'

const configSchema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } }
const plugins = [scripted, structuredOutput, { kind: 'feature', name: 'counter', configSchema }]
const config = { provider: 'scripted', settings: { scripted: { script: [{ then: { text: '{"n": 1}' } }] } } }
const host = await createHost({ plugins, config })
const codes = []
for (const n of [1, 0]) {
  const sent = host.send({ settings: { counter: { n } } }, 'hi')
  codes.push(await sent.then(() => 'sent', ({ code }) => code))
}
for (const $schema of ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#']) {
  const schema = { $schema, ...configSchema }
  const asked = { enabled_plugins: ['structured-output'], response_format: { type: 'json-schema', schema } }
  const { messages } = await run(host, { config: asked, messages: 'hi' }).result
  codes.push(textOf(messages.at(-1)))
}
const { agents, faults } = await readAgentFiles('agents')
const server = await createServer({ host, storage: memoryStorage(), anonymous: LOCAL })
const { status } = await server.fetch(new Request('http://localhost/metrics'))
console.log(JSON.stringify([codes, [...agents.map(({ id }) => id), ...faults.map(({ message }) => message)], status]))
await server.close()
await host.close()
`

/** Packages in CommonJS that load modules of Node (yaml, pg) in a bundle of ES modules, as docs/embedding.md says. */
const BANNER =
  "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)"

/** Serves with telemetry, for which a package may be missing. */
const WITH_TELEMETRY = `
import { createHost } from 'braidwork'
import { createServer, LOCAL } from 'braidwork/server'
import { memoryStorage } from 'braidwork/store'
import scripted from '@braidwork/provider-scripted'

const host = await createHost({ plugins: [scripted] })
const logged = []
const log = ({ code }) => logged.push(code)
const server = await createServer({ host, storage: memoryStorage(), anonymous: LOCAL, telemetry: {}, log })
await server.close()
await host.close()
console.log(JSON.stringify(logged.filter((code) => code !== undefined)))
`

/** Opens what is outside a bundle: the driver of SQLite, twice, and the page. */
const IN_COMMONJS = `
import { createHost } from 'braidwork'
import { pageFiles } from 'braidwork/page'
import { openStorage } from 'braidwork/store'
import scripted from '@braidwork/provider-scripted'

const told = []
const tell = ({ code, message }) => told.push([code, message])
async function main() {
  const host = await createHost({ plugins: [scripted] })
  await openStorage('none.db').catch(tell)
  await openStorage('none.db').catch(tell)
  await pageFiles().catch(tell)
  await host.close()
  console.log(JSON.stringify(told))
}
main()
`

describe('an application that a bundler made', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-bundled-'))
    await installPackages(folder, { without: optionalPackages() })
  })
  after(() => rm(folder, { recursive: true }))

  /** Bundles a program without a list of external packages, as docs/embedding.md promises. */
  async function bundle(contents: string, options: BuildOptions): Promise<void> {
    await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      format: 'esm',
      platform: 'node',
      // The built packages, and not the sources to which tsconfig.json leads.
      tsconfigRaw: '{}',
      // Links lead to the repository, which has all packages.
      preserveSymlinks: true,
      logLevel: 'error',
      ...options,
    })
  }

  it('serves with SQLite where the bundler knows no folder of a module, as that of Next.js', async () => {
    const outfile = join(folder, 'app.mjs')
    await bundle(PROGRAM, {
      outfile,
      define: { 'import.meta.dirname': 'undefined', 'import.meta.filename': 'undefined' },
    })
    const { stdout } = await run(process.execPath, [outfile], { cwd: folder })
    const [[part], provider, status] = JSON.parse(stdout)
    expect(part.text).to.include('no weather today')
    expect([provider, status]).to.deep.equal(['braidwork.scripted', 200])
  })

  for (const splitting of [true, false])
    it(`loads what it needs later ${splitting ? 'from chunks' : 'from its only file'}`, async () => {
      const outdir = join(folder, String(splitting))
      await mkdir(join(outdir, 'agents'), { recursive: true })
      await writeFile(
        join(outdir, 'agents', 'cook.md'),
        '---\ndescription: Cooks\n---\nYou cook.\n',
      )
      await bundle(LOADING_LATER, {
        outdir,
        outExtension: { '.js': '.mjs' },
        splitting,
        banner: { js: BANNER },
      })
      const { stdout } = await run(process.execPath, ['stdin.mjs'], { cwd: outdir })
      const answer = '{"n": 1}'
      const codes = ['sent', 'SETTINGS_INVALID', answer, answer]
      expect(JSON.parse(stdout)).to.deep.equal([codes, ['cook'], 200])
    })

  it('says when it runs that a package for telemetry is missing, if it was missing for the bundler', async () => {
    const outfile = join(folder, 'telemetry.mjs')
    await bundle(WITH_TELEMETRY, { outfile })
    const { stdout } = await run(process.execPath, [outfile], { cwd: folder })
    expect(JSON.parse(stdout)).to.deep.equal(['PACKAGE_MISSING'])
  })

  it('has the package for telemetry in it, if it was installed', async () => {
    const outfile = join(folder, 'spans.mjs')
    const installed = join(ROOT, 'node_modules', '@opentelemetry', 'api')
    await bundle(WITH_TELEMETRY, { outfile, alias: { '@opentelemetry/api': installed } })
    const { stdout } = await run(process.execPath, [outfile], { cwd: folder })
    expect(JSON.parse(stdout)).to.deep.equal([])
  })

  it('says what to do where it was bundled as CommonJS, which cannot look for packages', async () => {
    const outfile = join(folder, 'app.cjs')
    const logOverride = { 'empty-import-meta': 'silent' } as const
    await bundle(IN_COMMONJS, { outfile, format: 'cjs', logOverride })
    const { stdout } = await run(process.execPath, [outfile], { cwd: folder })
    const [first, second, page] = JSON.parse(stdout)
    expect(first[0]).to.equal('STORAGE_FAILED')
    expect(first[1]).to.match(/"none\.db" cannot be opened\. .* Bundle it as an ES module\.$/)
    expect(second).to.deep.equal(first)
    expect(existsSync(join(folder, 'none.db'))).to.equal(false)
    expect(page[1]).to.match(/page cannot be found.* Bundle it as an ES module\.$/)
  })
})
