import { expect } from 'chai'
import { openStorage } from '../../../src/store/index.ts'
import { type Backend, begin } from '../../store/backends.ts'
import { AgentServer } from './agent-server.ts'

const MODEL = { provider_id: 'scripted', upstream_model: 'scripted-1', context_window: 4321 }
const SPEC = {
  model_id: 'small',
  system_prompt: 'You calculate.',
  allowed_tools: ['calculate'],
  config: { tool_policy: { calculate: 'ask' } },
}

/** Two servers of one storage have the same stored agents. */
export function describeTwoServers(backend: Backend): void {
  describe(`two servers of one storage in ${backend.name}`, () => {
    before(async function () {
      await begin(backend, this)
    })
    after(() => backend.end())

    it('AW-56 have the same agents, and a run that waits goes on by the spec of now', async () => {
      const place = backend.place()
      const storages = [await openStorage(place), await openStorage(place)]
      const servers = await Promise.all(
        storages.map((storage) => AgentServer.start([], { storage })),
      )
      const [first, second] = servers
      if (!first || !second) return expect.fail('there are two')
      await first.put('/api/models/small', MODEL)
      await first.put('/api/agents/helper', SPEC)
      const { headers } = await second.chat('helper')
      expect(second.sent[0]).to.deep.include({ tools: ['calculate'], contextWindow: 4321 })
      await first.put('/api/agents/helper', { ...SPEC, system_prompt: 'You count.' })
      const runId = headers.get('x-run-id') ?? ''
      const [approval] = (await storages[0]?.approvals.list('ada', runId)) ?? []
      const id = approval?.id ?? expect.fail('nothing was asked')
      await first.served.ask(`/approvals/${id}`, { body: { approved: true } })
      await first.served.ask(`/runs/${runId}/events`)
      expect(first.systemOf()).to.deep.equal(['You count.'])
      await second.served.ask('/api/agents/helper', { method: 'DELETE' })
      expect((await first.chat('helper', 'later')).status).to.equal(404)
      for (const server of servers) await server.close()
      for (const storage of storages) await storage.close()
    })

    it('AW-56 leave a run that goes on with the spec of its start', async () => {
      const storage = await openStorage(backend.place())
      const server = await AgentServer.start([], { storage })
      const spec = { config: { temperature: 0.1 } }
      await server.put('/api/agents/helper', spec)
      let changed: Promise<unknown> = Promise.resolve()
      const { push } = server.sent
      server.sent.push = (...all) => {
        if (server.sent.length === 0) changed = server.put('/api/agents/helper', { max_rounds: 9 })
        return push.apply(server.sent, all)
      }
      await server.chat('helper')
      await changed
      expect(server.sent.map(({ temperature }) => temperature)).to.deep.equal([0.1, 0.1])
      await server.chat('helper', 'later')
      expect(server.sent.at(-1)?.temperature).to.equal(undefined)
      await server.close()
      await storage.close()
    })
  })
}
