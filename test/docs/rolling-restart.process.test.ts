import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.ts'
import { Serving, TOKEN } from '../cli/serving.ts'
import { NAME, type ProxyKind, ReverseProxy, textOf } from './proxies.ts'

/** Caddy learns by its health checks that a server stops. The copy of its example asks more often. */
const DRAIN: { readonly [kind in ProxyKind]: number } = { nginx: 0, caddy: 1 }

const configFor = (kind: ProxyKind) => ({
  provider: 'scripted',
  plugins: ['@braidwork/provider-scripted'],
  settings: { scripted: { script: [{ then: { text: 'Hello.' } }] } },
  server: {
    models: { quick: {} },
    tokens: [{ token: TOKEN, id: 'ada', role: 'admin' }],
    hosts: [NAME],
    trust_proxy: true,
    store: 'store.db',
    drain_seconds: DRAIN[kind],
  },
})

const CHAT = JSON.stringify({ model: 'quick', messages: [{ role: 'user', content: 'hello' }] })
const BEARER = { authorization: `Bearer ${TOKEN}` }
const CLIENTS = 4

for (const kind of ['nginx', 'caddy'] satisfies ProxyKind[]) {
  describe(`a rolling restart of two servers behind the example of ${kind}`, () => {
    let folder: string
    let proxy: ReverseProxy
    const servers: Serving[] = []

    before(async function () {
      const missing = ReverseProxy.missing(kind)
      if (missing !== undefined) {
        process.stderr.write(`The example of ${kind} is skipped: ${missing}\n`)
        return this.skip()
      }
      folder = mkdtempSync(join(tmpdir(), `braidwork-rolling-${kind}-`))
      writeFileSync(join(folder, 'served.json'), JSON.stringify(configFor(kind)))
      const upstreams = [await freePort(), await freePort()] as const
      servers.push(...upstreams.map(serve))
      await Promise.all(servers.map((server) => server.address()))
      proxy = await ReverseProxy.start(kind, folder, { upstreams })
    })
    after(async () => {
      await proxy?.stop()
      for (const { child } of servers) child.kill('SIGKILL')
      await Promise.all(servers.map((server) => server.ended()))
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    })

    const serve = (port: number): Serving =>
      new Serving(folder, ['--config', join(folder, 'served.json'), '--port', String(port)])

    it('answers each new request while one server after the other starts again', async () => {
      let isOver = false
      const statuses = new Map<string, number>()
      const client = async (path: string, body?: string) => {
        while (!isOver) {
          const response = await proxy.ask(path, body, BEARER)
          await textOf(response)
          // A run that was under way when its server stopped ends with it, as the guide says.
          const isStopped = response.statusCode === 503 && 'x-run-id' in response.headers
          if (isStopped) continue
          const asked = `${body === undefined ? 'GET' : 'POST'} ${response.statusCode}`
          statuses.set(asked, (statuses.get(asked) ?? 0) + 1)
        }
      }
      const clients = Array.from({ length: CLIENTS }, (_, at) =>
        at % 2 === 0 ? client('/v1/models') : client('/v1/chat/completions', CHAT),
      )
      for (const at of [0, 1]) {
        const stopped = servers[at] ?? expect.fail()
        const { port } = new URL(await stopped.address())
        expect((await stopped.stop('SIGTERM')).status).to.equal(0)
        const begun = serve(Number(port))
        servers[at] = begun
        const ready = await fetch(`${await begun.address()}/readyz`)
        expect(ready.status).to.equal(200)
        // Caddy asks it again only after its next check, as the guide says.
        while (kind === 'caddy' && !begun.err.includes('"path":"/v1/models"')) await wait(10)
      }
      isOver = true
      await Promise.all(clients)
      expect([...statuses.keys()].sort()).to.deep.equal(['GET 200', 'POST 200'])
    })
  })
}
