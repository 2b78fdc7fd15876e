import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { braidwork } from './command.ts'
import { sharedCommand } from './shared-command.ts'

const OPENAI = ['--provider', 'openai', '--set', 'settings.openai.max_retries=0']
const KEY = ['--set', 'settings.openai.api_key=sk-test-0123456789']

describe('braidwork models', function () {
  this.timeout(30_000)
  let folder: string
  let server: Server
  /** What the API answers to the question for its models. */
  let answer: { readonly status: number; readonly body: unknown }

  const command = sharedCommand()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-models-'))
    server = createServer((_request, response) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })

  /** The options that send the OpenAI provider to the server on loopback. */
  function served(...ids: string[]): string[] {
    answer = { status: 200, body: { data: ids.map((id) => ({ id })) } }
    const { port } = server.address() as AddressInfo
    return [...OPENAI, ...KEY, '--set', `settings.openai.base_url=http://127.0.0.1:${port}/v1`]
  }

  it('lists the models on offer, a line each, with the one that is asked for marked', async () => {
    const { status, out, err } = await braidwork(['models', ...OPENAI, '--model', 'gpt-5'])
    expect([status, err]).to.deep.equal([0, ''])
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).to.match(/^ +MODEL +WINDOW +LONGEST OUTPUT +TAKES +GIVES +USD FOR A MILLION/)
    expect(lines).to.have.length.greaterThan(10)
    expect(lines.filter((line) => line.startsWith('*'))).to.have.length(1)
    expect(out).to.match(
      /^\* +gpt-5 +400,000 +128,000 +text, image, file +text +1\.25 in, 10 out, 0\.125 cache read$/m,
    )
    expect(out).to.match(/^ +gpt-5\.4 .* 2\.5 in, 15 out, 0\.25 cache read, more for long input$/m)
  })

  it('marks the first one where the config names none', async () => {
    const { out } = await command(['models'], { cwd: folder })
    expect(out).to.match(/^\* +scripted-1 +128,000 +32,000 +text +text +0 in, 0 out$/m)
  })

  it('prints them as JSON, and leaves out what is not known', async () => {
    const models = ['--set', 'settings.openai.models=["gpt-4o-2024-05-13","mine"]']
    const { status, out } = await command(['models', '--json', ...OPENAI, ...models])
    expect(status).to.equal(0)
    expect(JSON.parse(out)).to.deep.equal([
      {
        id: 'gpt-4o-2024-05-13',
        contextWindow: 128_000,
        maxOutputTokens: 16_384,
        input: ['text', 'image', 'file'],
        output: ['text'],
        price: { input: 5, output: 15 },
      },
      { id: 'mine' },
    ])
  })

  it('takes the models and prices of a preset', async () => {
    const preset = ['--set', 'settings.openai-compatible.preset=groq']
    const { out } = await command(['models', '--provider', 'openai-compatible', ...preset])
    expect(out).to.match(/^\* +openai\/gpt-oss-120b +131,072 +65,536 +text +text +0\.15 in/m)
  })

  it('asks the API for its models, and lists those', async () => {
    const { status, out } = await command(['models', '--refresh', ...served('gpt-5', 'new-one')])
    expect(status).to.equal(0)
    expect(out.trimEnd().split('\n')).to.have.length(3)
    expect(out).to.match(/^ +gpt-5 +400,000/m)
    expect(out).to.match(/^ +new-one +- +- +- +- +-$/m)
  })

  it('marks no model of the API where the config names none, since no other command takes it', async () => {
    const args = served('gpt-5', 'new-one')
    const named = await command(['models', '--refresh', ...args, '--model', 'new-one'])
    expect(named.out).to.match(/^\* +new-one/m)
    const { out } = await command(['models', '--refresh', ...args])
    expect(out).not.to.match(/^\*/m)
  })

  it('makes control sequences of the API visible, and keeps to a line a model', async () => {
    const { out } = await command(['models', '--refresh', ...served('a\u001b[2J\nb\u202e')])
    expect(out.trimEnd().split('\n')).to.have.length(2)
    expect(out).to.contain('a␛[2J b<U+202E>')
  })

  it('says where there is none', async () => {
    const preset = ['--set', 'settings.openai-compatible.preset=ollama']
    const config = ['models', '--provider', 'openai-compatible', ...preset]
    const { status, out, err } = await command(config)
    expect([status, out]).to.deep.equal([0, ''])
    expect(err).to.contain('--refresh')
    expect((await command([...config, '--json'])).out).to.equal('[]\n')
  })

  it('warns of a model that is not on offer', async () => {
    const { status, out, err } = await command(['models', ...OPENAI, '--model', 'gpt-5.5x'])
    expect(status).to.equal(0)
    expect(out).not.to.match(/^\*/m)
    expect(err).to.contain('MODEL_NOT_OFFERED').and.to.contain('Did you mean "gpt-5.5"?')
  })

  it('reports what went wrong as the other commands do', async () => {
    const keyless = await command(['models', '--refresh', ...OPENAI], {
      env: { OPENAI_API_KEY: '' },
    })
    expect([keyless.status, keyless.out]).to.deep.equal([1, ''])
    expect(keyless.err).to.contain('PROVIDER_UNAUTHORIZED')
    expect(keyless.err.match(/environment variable/g)).to.have.length(1)
    const refused = served()
    answer = { status: 429, body: { error: { message: 'slowly, sk-test-0123456789' } } }
    const { status, err } = await command(['models', '--refresh', ...refused])
    expect(status).to.equal(1)
    expect(err).to.contain('RATE_LIMITED').and.not.to.contain('sk-test-0123456789')
    expect((await command(['models', '--provider', 'opnai'])).status).to.equal(2)
  })

  it('asks a plugin of the config', async () => {
    const plugin = join(folder, 'own.mjs')
    await writeFile(
      plugin,
      `export default {
        kind: 'provider', name: 'own', call: () => [[], [], {}, {}],
        getModels: () => ['m'], getModelInfo: async (id) => ({ contextWindow: id.length }),
      }`,
    )
    const { out } = await command(
      ['models', '--json', '--provider', 'own', '--set', `plugins=["${plugin}"]`],
      { cwd: folder },
    )
    expect(JSON.parse(out)).to.deep.equal([{ id: 'm', contextWindow: 1 }])
  })
})
