import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { Serving, TOKEN } from '../cli/serving.ts'
import { NAME, type ProxyKind, ReverseProxy, textOf } from './proxies.ts'

const WORDS = 'one two three four five six'
const MEBIBYTE = 1 << 20
const BEARER = { authorization: `Bearer ${TOKEN}` }
const paced = (delay_ms: number) => ({ config: { settings: { scripted: { delay_ms } } } })

/** A config of a server behind a proxy. */
const CONFIG = {
  provider: 'scripted',
  plugins: ['@braidwork/provider-scripted'],
  settings: { scripted: { script: [{ then: { text: WORDS, chunks: 6 } }] } },
  server: {
    models: { quick: paced(0), slow: paced(200), silent: paced(1500), left: paced(1500) },
    tokens: [{ token: TOKEN, id: 'ada', role: 'admin' }],
    hosts: [NAME],
    trust_proxy: true,
    heartbeat_ms: 300,
    // The two servers share it.
    store: 'store.db',
  },
}

const TEXTS: { readonly [kind in ProxyKind]: readonly (readonly [from: string, to: string])[] } = {
  // Less than the silence in the test, and more than the time between two heartbeats.
  nginx: [['proxy_read_timeout 600s', 'proxy_read_timeout 1s']],
  caddy: [],
}

for (const kind of ['nginx', 'caddy'] satisfies ProxyKind[]) {
  describe(`the example of ${kind}`, () => {
    let folder: string
    let servers: readonly Serving[] = []
    let proxy: ReverseProxy

    before(async function () {
      const missing = ReverseProxy.missing(kind)
      if (missing !== undefined) {
        process.stderr.write(`The example of ${kind} is skipped: ${missing}\n`)
        return this.skip()
      }
      folder = mkdtempSync(join(tmpdir(), `braidwork-${kind}-`))
      const file = join(folder, 'served.json')
      writeFileSync(file, JSON.stringify(CONFIG))
      servers = [1, 2].map(() => new Serving(folder, ['--config', file, '--port', '0']))
      const [one = 0, two = 0] = await Promise.all(
        servers.map(async (server) => Number(new URL(await server.address()).port)),
      )
      proxy = await ReverseProxy.start(kind, folder, { upstreams: [one, two], texts: TEXTS[kind] })
    })
    after(async () => {
      await proxy?.stop()
      for (const { child } of servers) child.kill('SIGKILL')
      await Promise.all(servers.map((server) => server.ended()))
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    })

    const ask = (path: string, body?: string | Buffer, headers: object = {}) =>
      proxy.ask(path, body, { ...BEARER, ...headers })

    const chat = (model: string, rest: object = {}) =>
      ask(
        '/v1/chat/completions',
        JSON.stringify({
          model,
          messages: [{ role: 'user', content: 'hello' }],
          ...rest,
        }),
      )

    it('sends on each event of a stream when it comes', async () => {
      const response = await chat('slow', { stream: true })
      const times: number[] = []
      let text = ''
      for await (const piece of response) {
        times.push(performance.now())
        text += String(piece)
      }
      expect(text).to.include('[DONE]')
      expect(times.length, 'pieces').to.be.at.least(6)
      // The stream lasts a second.
      expect(times.at(-1)! - times[0]!).to.be.above(600)
    })

    it('keeps a silent stream open, by its heartbeats', async () => {
      const text = await textOf(await chat('silent', { stream: true }))
      expect(text).to.include('[DONE]')
      expect(text.match(/^:/gm)?.length, 'heartbeats').to.be.above(5)
    })

    it('takes bodies up to the limits of the server, and none above the largest', async () => {
      const large = await chat('quick', { metadata: { a: 'b' }, user: 'x'.repeat(9 * MEBIBYTE) })
      expect(large.statusCode, await textOf(large)).to.be.oneOf([200, 400])
      const made = await ask('/api/conversations', '{}')
      expect(made.statusCode).to.equal(201)
      const { id } = JSON.parse(await textOf(made)) as { readonly id: string }
      const file = (mebibytes: number) =>
        ask(`/api/conversations/${id}/files`, Buffer.alloc(mebibytes * MEBIBYTE, 1), {
          'content-type': 'application/octet-stream',
        })
      const kept = await file(25)
      expect(kept.statusCode, await textOf(kept)).to.equal(201)
      // Caddy 2.6 says that its connection to the server failed.
      expect((await file(27)).statusCode).to.be.oneOf(kind === 'caddy' ? [413, 502] : [413])
    })

    it('stops a run whose client leaves', async () => {
      const response = await chat('silent', { stream: true })
      const runId = String(response.headers['x-run-id'])
      response.destroy()
      const line = await runLine(runId)
      expect(line.status).to.equal('aborted')
      expect(line.seconds).to.be.below(5)
    })

    it('stops a run whose client leaves before the whole answer comes', async () => {
      const messages = [{ role: 'user', content: 'hello' }]
      const body = JSON.stringify({ model: 'left', messages })
      const sent = proxy.begin('/v1/chat/completions', body, BEARER)
      const failed = once(sent, 'error')
      while (!(await isWorking())) await wait(10)
      sent.destroy(new Error('The client leaves.'))
      await failed
      const line = await runLine('"model":"left"')
      expect(line.status).to.equal('aborted')
      expect(line.seconds).to.be.below(5)
    })

    it('tells the server its public address', async () => {
      const page = `https://${NAME}:${proxy.port}`
      expect((await ask('/v1/models', undefined, { origin: page })).statusCode).to.equal(200)
      const foreign = { origin: 'https://example.org' }
      expect((await ask('/v1/models', undefined, foreign)).statusCode).to.equal(403)
    })

    it('keeps the metrics for this machine', async () => {
      expect((await ask('/metrics')).statusCode).to.equal(404)
    })

    it('asks both servers, and only one after the other has stopped', async () => {
      const statuses = async () => {
        const found: (number | undefined)[] = []
        while (found.length < 8) {
          const response = await chat('quick')
          await textOf(response)
          found.push(response.statusCode)
        }
        return found
      }
      const answered = Array.from({ length: 8 }, () => 200)
      expect(await statuses()).to.deep.equal(answered)
      for (const { err } of servers) expect(err).to.include('"path":"/v1/chat/completions"')
      await servers[0]!.stop('SIGTERM')
      let found = await statuses()
      // Caddy notices at its next check, as the example says.
      while (kind === 'caddy' && found.includes(502)) found = await statuses()
      expect(found).to.deep.equal(answered)
    })

    /** Whether one of the servers has a run in progress. */
    async function isWorking(): Promise<boolean> {
      const printed = await Promise.all(
        servers.map(async (server) => {
          const answer = await fetch(`${await server.address()}/metrics`, { headers: BEARER })
          return answer.text()
        }),
      )
      return printed.some((text) => text.includes('\nbraidwork_active_runs 1\n'))
    }

    /** The line of a run's end in the log of the server that had it. @param about a text in the line */
    async function runLine(about: string): Promise<RunLine> {
      for (;;) {
        const lines = servers.flatMap(({ err }) => err.split('\n'))
        const found = lines.find((line) => line.includes('"msg":"run"') && line.includes(about))
        if (found !== undefined) return JSON.parse(found) as RunLine
        await wait(20)
      }
    }
  })
}

interface RunLine {
  readonly status: string
  readonly seconds: number
}
