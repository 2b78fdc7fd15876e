import { AsyncLocalStorage } from 'node:async_hooks'
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import nodeTimers from 'node:timers'
import timersPromises from 'node:timers/promises'
import tls from 'node:tls'
import { expect } from 'chai'
import { createRuntime, run } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { RunLog } from '../../src/agent/run-log/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import { type Message, textOf } from '../../src/plugin/events/index.ts'
import { collect, scriptedHost, typesOf } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { VirtualEnvironment } from '../helpers/virtual-environment.ts'

/** What reaches out of a process, or waits for a time: each function is replaced, in each of these objects. */
const OUTSIDE: readonly (readonly [place: object, names: readonly string[]])[] = [
  [net, ['connect', 'createConnection', 'createServer']],
  [net.Socket.prototype, ['connect']],
  [tls, ['connect', 'createServer']],
  [http, ['request', 'get', 'createServer']],
  [https, ['request', 'get', 'createServer']],
  [http2, ['connect', 'createServer']],
  [dgram, ['createSocket']],
  [childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']],
  [globalThis, ['setTimeout', 'setInterval', 'fetch']],
  [nodeTimers, ['setTimeout', 'setInterval']],
  [timersPromises, ['setTimeout', 'setInterval']],
]

/** What runs for the turn. Timers that other tests of this process left go on. */
const turn = new AsyncLocalStorage<true>()

/** Replaces what reaches outside by functions that throw in a turn. Returns a function that puts all of it back. */
function shutOut(): () => void {
  const kept = OUTSIDE.flatMap(([place, names]) =>
    names.map((name) => [place, name, Reflect.get(place, name) as () => unknown] as const),
  )
  for (const [place, name, value] of kept) {
    Reflect.set(place, name, function (this: unknown, ...args: []) {
      if (turn.getStore()) throw new Error(`"${name}" was called`)
      return Reflect.apply(value, this, args)
    })
  }
  syncBuiltinESMExports()
  return () => {
    for (const [place, name, value] of kept) Reflect.set(place, name, value)
    syncBuiltinESMExports()
  }
}

const SCRIPT = [
  { when: { step: 1 }, then: { text: 'I look.', tool_calls: [{ name: 'look', input: {} }] } },
  { then: { text: 'It is {{result.look}}.' } },
]

const TOLD =
  'step-start step-finish tool-execution-start tool-execution-end step-start step-finish finish'.split(
    ' ',
  )

describe('a turn without network, timers and processes', () => {
  const look = tool('look', {
    getToolSchemas: () => [schema('look')],
    executeTool: async () => 'there',
  })
  const config = { settings: { scripted: { script: SCRIPT, delay_ms: 0 } } }
  let host: Host
  let letIn: () => void
  beforeEach(async () => {
    host = await scriptedHost([look])
    // The first turn of a process loads modules, and while that takes time, limits apply to it.
    await run(host, { config, messages: 'Look' }).result
    letIn = shutOut()
  })
  afterEach(async () => {
    letIn()
    await host.close()
  })

  it('CT-02 passes: an answer, a call and an answer, from its start to its stored end', () =>
    turn.run(true, async () => {
      expect(() => setTimeout(() => undefined)).to.throw('"setTimeout" was called')
      const environment = new VirtualEnvironment()
      const storage = memoryStorage()
      const log = new RunLog({ storage, environment, log: () => undefined })
      const runtime = await createRuntime({ host, agents: [{ id: 'helper', config }] })
      const stored = { id: environment.newId('run'), owner: 'ada', order: {} }
      const order = { messages: 'Look', environment, runId: stored.id }
      const started = await runtime.run('helper', order)
      await log.start({ run: stored, open: () => started })
      const events = (await collect(log.read('ada', stored.id))).flat()
      await log.close()
      expect(typesOf(events).filter((type) => /^(step|tool-execution|finish)/.test(type))).to.eql(
        TOLD,
      )
      const { messages, error } = await started.result
      expect(error).to.equal(undefined)
      expect(textOf(messages.at(-1) as Message)).to.equal('It is there.')
    }))

  it('CT-01 needs no more than a host, storage in memory and an environment of its own', () =>
    turn.run(true, async () => {
      const runtime = await createRuntime({ host, agents: [{ id: 'helper', config }] })
      const stream = await runtime.run('helper', {
        messages: 'Look',
        environment: new VirtualEnvironment(),
      })
      const { status, steps } = await stream.result
      expect({ status, steps }).to.deep.equal({ status: 'done', steps: 2 })
    }))
})
