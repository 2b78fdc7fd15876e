import { expect } from 'chai'
import { type RunOptions, run, systemEnvironment } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { RunLog } from '../../src/agent/run-log/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import type { ConfigLayer, Host } from '../../src/core/index.ts'
import type { JsonObject, RunEvent } from '../../src/plugin/events/index.ts'
import { sampled } from '../helpers/cases.ts'
import { collect, scriptedHost } from '../helpers/hosts.ts'
import { feature, schema, tool } from '../helpers/plugins.ts'
import { expectAgreement } from './agreement/index.ts'

const OWNER = 'ada'
const ID = 'run-1'
const HOOKS = [
  'runStart',
  'stepStart',
  'beforeInference',
  'afterInference',
  'beforeToolExecute',
  'afterToolExecute',
  'stepEnd',
  'runEnd',
] as const

/** Two steps with calls that fail, and an answer. */
const SCRIPT = [1, 2].map((step) => ({
  when: { step },
  then: { text: `Step ${step}.`, tool_calls: [{ name: 'fail' }, { name: 'fail' }] },
}))
const CONFIG: ConfigLayer = {
  settings: { scripted: { script: [...SCRIPT, { then: { text: 'Done.' } }] } },
}

async function countingHost(): Promise<Host> {
  const counts = HOOKS.map((hook) => [hook, () => ({ state: { [hook]: 1 } })])
  const keys = HOOKS.map((hook) => [hook, { merge: 'sum', initial: 0 }])
  const counting = feature('counting', {
    ...Object.fromEntries(counts),
    stateKeys: Object.fromEntries(keys),
  })
  const executeTool = () => {
    throw new Error('it failed')
  }
  const getToolSchemas = () => [schema('fail', { safety: { is_read_only: true } })]
  return scriptedHost([counting, tool('failing', { getToolSchemas, executeTool })])
}

describe('the state of a run whose process ended', () => {
  const optionsOf = (more: Partial<RunOptions> = {}): RunOptions => ({
    config: CONFIG,
    messages: 'go',
    runId: ID,
    stopConditions: [{ type: 'consecutive_errors', max: 10 }],
    ...more,
  })

  /** The events of the run after another process has gone on with it. */
  async function goneOn(host: Host, begun: readonly RunEvent[]): Promise<readonly RunEvent[]> {
    const storage: Storage = memoryStorage()
    const lease = { holder: 'dead', expiresAt: 0 }
    await storage.runs.start({ id: ID, owner: OWNER, order: {} }, lease, { entries: [] }, 1)
    await storage.runs.append('dead', [{ runId: ID, events: begun }])
    const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
    await log.recover(
      () => true,
      async ({ interruption: resume }) => ({
        open: (_, { signal }) => run(host, optionsOf({ resume, signal })),
      }),
    )
    for await (const _ of log.read(OWNER, ID));
    await log.close()
    await expectAgreement(storage, async () => memoryStorage(), `after event ${begun.length}`)
    return storage.runs.events(OWNER, ID)
  }

  const stateIn = (events: readonly RunEvent[]): JsonObject | undefined => {
    const state = events.findLast((event) => event.type === 'run-state')
    if (state?.type !== 'run-state') return undefined
    const { seconds: _, ...progress } = state.progress
    return { progress, values: state.values }
  }

  it('AW-61 counts each phase and each use once, after whichever event the process ended', async () => {
    await using host = await countingHost()
    const events = await collect(run(host, optionsOf()))
    const whole = stateIn(events)
    expect(whole?.['values']).to.deep.equal({
      runStart: 1,
      stepStart: 3,
      beforeInference: 3,
      afterInference: 3,
      beforeToolExecute: 2,
      afterToolExecute: 2,
      stepEnd: 3,
      runEnd: 1,
    })
    expect(whole).to.have.nested.property('progress.failedCalls', 4)
    for (const count of sampled([...events.keys()], 5)) {
      const after = await goneOn(host, events.slice(0, count))
      expect(stateIn(after), `after ${count}, ${events[count - 1]?.type}`).to.deep.equal(whole)
    }
  })
})
