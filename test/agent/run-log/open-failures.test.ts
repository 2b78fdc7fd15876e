import { expect } from 'chai'
import { run, systemEnvironment } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { RunLog } from '../../../src/agent/run-log/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { errorOf, schema, tool } from '../../helpers/plugins.ts'
import { expectAgreement } from '../agreement/index.ts'

const OWNER = 'ada'
const SCRIPT = [
  { when: { step: 1 }, then: { tool_calls: [{ name: 'send', input: {} }] } },
  { then: { text: 'Done.' } },
]
const CONFIG = { settings: { scripted: { script: SCRIPT } }, tool_policy: { send: 'ask' } } as const

describe('a run whose work cannot be opened', () => {
  let storage: Storage
  let log: RunLog
  beforeEach(async () => {
    storage = memoryStorage()
    log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
    await storage.conversations.create({ id: 't', owner: OWNER, agent: 'a', sender: OWNER }, 1)
  })

  const begin = (id: string) => ({
    run: { id, owner: OWNER, order: {}, conversationId: 't' },
    open: (): never => {
      throw new HostError('MODEL_UNKNOWN', 'There is no such model.')
    },
  })
  const eventsOf = async (id: string): Promise<readonly RunEvent[]> => {
    const events: RunEvent[] = []
    for await (const page of log.read(OWNER, id)) events.push(...page)
    return events
  }

  it('fails with the reason, tells its caller and its readers, and leaves its conversation free', async () => {
    const error = await errorOf(log.start(begin('one')))
    expect(error.code).to.equal('MODEL_UNKNOWN')
    expect(await storage.runs.load(OWNER, 'one')).to.include({ status: 'failed' })
    expect((await eventsOf('one')).at(-1)).to.have.nested.property('error.code', 'MODEL_UNKNOWN')
    expect(await storage.runs.open(OWNER, 't')).to.equal(undefined)
    expect(log.activeRuns).to.equal(0)
    await expectAgreement(storage, async () => memoryStorage())
    await log.close()
  })

  it('fails in a further leg, with results of the calls that waited', async () => {
    const send = tool('sending', { getToolSchemas: () => [schema('send')], executeTool: () => '' })
    await using host = await scriptedHost([send])
    const first = begin('one')
    await log.start({
      ...first,
      open: () => run(host, { config: CONFIG, messages: 'go', runId: 'one' }),
    })
    await eventsOf('one')
    const [approval] = await storage.approvals.list(OWNER, 'one')
    await storage.approvals.answer(OWNER, approval?.id ?? '', { approved: true, answeredAt: 1 })
    const error = await errorOf(log.resume(OWNER, 'one', first))
    expect(error.code).to.equal('MODEL_UNKNOWN')
    expect(await storage.runs.load(OWNER, 'one')).to.include({ status: 'failed' })
    await expectAgreement(storage, async () => memoryStorage())
    await log.close()
  })

  it('that another process left fails there, beside others that go on', async () => {
    await using host = await scriptedHost()
    const lease = { holder: 'dead', expiresAt: 0 }
    for (const id of ['one', 'two']) {
      await storage.runs.start({ id, owner: OWNER, order: {} }, lease, { entries: [] }, 1)
    }
    const told: string[] = []
    const own = new RunLog({
      storage,
      environment: systemEnvironment,
      log: ({ message }) => told.push(message),
    })
    const says = { settings: { scripted: { script: [{ then: { text: 'Done.' } }] } } }
    await own.recover(
      () => true,
      async ({ run: { id }, interruption: resume }) => ({
        open: () =>
          id === 'one'
            ? begin(id).open()
            : run(host, { config: says, messages: 'go', resume, runId: id }),
      }),
    )
    for await (const _ of own.read(OWNER, 'two'));
    expect(await storage.runs.load(OWNER, 'one')).to.include({ status: 'failed' })
    expect(await storage.runs.load(OWNER, 'two')).to.include({ status: 'done' })
    expect(told).to.deep.equal(['A run cannot go on: There is no such model.'])
    await own.close()
  })

  it('fails for want of a storage, too, and does not hang when the log closes', async () => {
    const failing = new Proxy(storage.runs, {
      get: (target, name) => {
        if (name === 'end') return () => Promise.reject(new HostError('STORAGE_FAILED', 'full'))
        const value = target[name as keyof typeof target]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const own = new RunLog({
      storage: { ...storage, runs: failing },
      environment: systemEnvironment,
      log: () => undefined,
    })
    expect((await errorOf(own.start(begin('one')))).code).to.equal('MODEL_UNKNOWN')
    expect(own.activeRuns).to.equal(0)
    await own.close()
  })
})
