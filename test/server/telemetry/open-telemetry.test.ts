import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect } from 'chai'
import type { Log } from '../../../src/plugin/index.ts'
import { Telemetry, telemetryFaults } from '../../../src/server/telemetry/index.ts'

const CHANNEL = 'braidwork:run-event'
const TOLD =
  'No spans and metrics are made: "telemetry" needs the package "@opentelemetry/api", which is not installed. Run "npm install @opentelemetry/api" in the folder whose "node_modules" has Braidwork.'

/** Fails as Node does where the package is not installed. */
function missing(): Promise<never> {
  const message = "Cannot find package '@opentelemetry/api' imported from /here/server.js"
  return Promise.reject(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }))
}

describe('telemetry without the API of OpenTelemetry', () => {
  let logged: Parameters<Log>[0][]
  const log: Log = (entry) => void logged.push(entry)
  beforeEach(() => {
    logged = []
  })

  it('is warned of when a server starts', async () => {
    await (await Telemetry.create({}, log, missing)).close()
    expect(logged).to.deep.equal([{ level: 'warn', code: 'PACKAGE_MISSING', message: TOLD }])
  })

  it('is warned of where Vite bundled the server without it', async () => {
    const text = `Could not resolve "@opentelemetry/api" imported by "@braidwork/server". Is it installed?`
    const stub = () => Promise.reject(new Error(text))
    await (await Telemetry.create({}, log, stub)).close()
    expect(logged).to.deep.equal([{ level: 'warn', code: 'PACKAGE_MISSING', message: TOLD }])
  })

  it('is enough for a program that subscribes to the events', async () => {
    const listen = () => undefined
    subscribe(CHANNEL, listen)
    try {
      await (await Telemetry.create({}, log, missing)).close()
    } finally {
      unsubscribe(CHANNEL, listen)
    }
    expect(logged).to.deep.equal([])
  })

  it('is a warning of a config that asks for it, and of no other', async () => {
    const [fault, ...more] = await telemetryFaults({}, missing)
    expect([fault, more]).to.deep.equal([
      { level: 'warning', code: 'PACKAGE_MISSING', message: TOLD, pointer: '/server/telemetry' },
      [],
    ])
    expect(await telemetryFaults(undefined, missing)).to.deep.equal([])
    expect(await telemetryFaults({})).to.deep.equal([])
  })

  it('is told where the package is broken', async () => {
    const broken = () => Promise.reject(new SyntaxError('Unexpected end of input'))
    const thrown = await Telemetry.create({}, log, broken).catch((error: unknown) => error)
    expect(thrown).to.be.instanceOf(SyntaxError)
  })
})
