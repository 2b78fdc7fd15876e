import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { braidwork } from '../../cli/command.ts'
import { Serving } from '../../cli/serving.ts'
import { NAME, ReverseProxy, textOf } from '../../docs/proxies.ts'
import { PostgresServer } from '../../helpers/postgres.ts'

const WORDS = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
const SCRIPT = [{ then: { text: WORDS } }]
const OWN = 'own-0123456789abcdef'
const LIMIT = 300
const ASKED = 1000
const AT_ONCE = 40
/** Within so many milliseconds a revoked token ends on every server. */
const REVOKED = 5000

const configOf = (store: string) => ({
  provider: 'scripted',
  server: {
    store,
    hosts: [NAME],
    trust_proxy: true,
    lease_seconds: 2,
    stored_tokens: true,
    tokens: [{ token: OWN, id: 'own' }],
    models: {
      quick: { config: { settings: { scripted: { delay_ms: 0 } } } },
      slow: {
        config: {
          on_interrupt: 'resume',
          settings: { scripted: { delay_ms: 60, script: SCRIPT } },
        },
      },
      // It takes a minute: longer than the command that revokes a token, on any machine.
      long: { config: { settings: { scripted: { delay_ms: 1000, script: SCRIPT } } } },
    },
  },
})

describe('two servers of one PostgreSQL', function () {
  this.timeout(90_000)
  let postgres: PostgresServer
  let folder: string
  let servers: Serving[]
  let addresses: string[]
  let nginx: ReverseProxy | undefined

  before(async function () {
    const missing = PostgresServer.missing()
    if (missing !== undefined) {
      process.stderr.write(`"two servers of one PostgreSQL" is skipped: ${missing}\n`)
      return this.skip()
    }
    postgres = await PostgresServer.start()
  })
  after(() => postgres?.close())

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-two-'))
    const store = postgres.createDatabase()
    writeFileSync(join(folder, 'config.json'), JSON.stringify(configOf(store)))
    const args = ['--config', 'config.json', '--port', '0']
    servers = [new Serving(folder, args)]
    addresses = [await addressOf(servers[0])]
    servers.push(new Serving(folder, args))
    addresses.push(await addressOf(servers[1]))
  })
  afterEach(async () => {
    await nginx?.stop()
    nginx = undefined
    for (const server of servers) {
      server.child.kill('SIGKILL')
      await server.ended()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const addressOf = async (server: Serving | undefined): Promise<string> => {
    const line = (await server?.address()) ?? ''
    return /http:\/\/[\d.:]+/.exec(line)?.[0] ?? expect.fail(`no address: ${server?.err}`)
  }

  /** Issues a token beside the running servers. */
  async function issued(...options: readonly string[]): Promise<{ secret: string; id: string }> {
    const args = ['tokens', 'issue', 'ada', '--json', '--config', 'config.json', ...options]
    const { out, err, status } = await braidwork(args, { cwd: folder })
    expect(status, err).to.equal(0)
    return JSON.parse(out) as { secret: string; id: string }
  }

  const post = (address: string, path: string, token: string, body: object) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const question = (model: string) => ({
    model,
    stream: model !== 'quick',
    messages: [{ role: 'user', content: 'hi' }],
  })
  const ask = (address: string, token: string, model = 'quick') =>
    post(address, '/v1/chat/completions', token, question(model))

  /** Asks through nginx as the example configures it, or, where there is none, the servers in turn. */
  async function asker(token: string) {
    const missing = ReverseProxy.missing('nginx')
    if (missing !== undefined) {
      process.stderr.write(`The servers are asked in turn, without nginx: ${missing}\n`)
      return async (body: object, turn: number) => {
        const address = addresses[turn % addresses.length] ?? ''
        const response = await post(address, '/v1/chat/completions', token, body)
        await response.text()
        return response.status
      }
    }
    const [one = 0, two = 0] = addresses.map((address) => Number(new URL(address).port))
    const proxy = await ReverseProxy.start('nginx', folder, { upstreams: [one, two] })
    nginx = proxy
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return async (body: object) => {
      const response = await proxy.ask('/v1/chat/completions', JSON.stringify(body), headers)
      await textOf(response)
      return response.statusCode ?? 0
    }
  }

  it('let no more requests pass than the limit of a token says, however many come at once', async () => {
    const { secret } = await issued('--limit', `requests_per_day=${LIMIT}`)
    const body = question('quick')
    const askOne = await asker(secret)
    const seen = new Map<number, number>()
    let left = ASKED
    const work = async () => {
      while (left > 0) {
        const status = await askOne(body, left--)
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(Object.fromEntries(seen)).to.deep.equal({ 200: LIMIT, 429: ASKED - LIMIT })
  })

  it('refuse a revoked token within five seconds, and end its streams', async () => {
    const { secret, id } = await issued()
    for (const address of addresses) expect((await ask(address, secret)).status).to.equal(200)
    const streaming = await ask(addresses[0] ?? '', secret, 'long')
    const streamed = streaming.text().catch(() => 'cut')
    const { status } = await braidwork(['tokens', 'revoke', id, '--config', 'config.json'], {
      cwd: folder,
    })
    expect(status).to.equal(0)
    const since = performance.now()
    const isRefused = async (address: string) => {
      while ((await ask(address, secret)).status !== 401) await wait(50)
    }
    await Promise.all(addresses.map(isRefused))
    const text = await streamed
    expect(performance.now() - since).to.be.below(REVOKED)
    expect(text).to.not.include('word59')
    expect((await ask(addresses[0] ?? '', OWN)).status).to.equal(200)
  })

  it('go on with the runs of one that was killed; its clients read them on at the other', async () => {
    const [first = '', second = ''] = addresses
    const message = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }
    const response = await post(first, '/api/chat', OWN, {
      id: 'talk',
      agent: 'slow',
      messages: [message],
    })
    const id = response.headers.get('x-run-id') ?? expect.fail('no run')
    const reader = response.body?.getReader() ?? expect.fail('no body')
    const decoder = new TextDecoder()
    for (let text = ''; !text.includes('word5'); )
      text += decoder.decode((await reader.read()).value)
    servers[0]?.child.kill('SIGKILL')
    const rest = await fetch(`${second}/runs/${id}/events`, {
      headers: { authorization: `Bearer ${OWN}` },
    })
    const events = await rest.text()
    expect(events).to.include('event: run-resumed').and.include('word59')
    expect(events.match(/event: finish/g)).to.have.length(1)
  })
})
