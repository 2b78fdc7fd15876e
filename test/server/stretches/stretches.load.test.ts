import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { HAS_ALL_CASES, turnOfCommit } from '../../helpers/cases.ts'
import { type Backend, memory, sqlite } from '../../store/backends.ts'
import { LoadProcess } from '../load/processes.ts'
import { ANSWERS, MODELS } from './models.ts'
import type { Stretched } from './server.ts'
import { PATHS, type WireName, WORST } from './worst-bodies.ts'

const IS_EXHAUSTIVE = process.env['EXHAUSTIVE'] === '1'
/** Milliseconds of CPU that the event loop may stand still, more on a slower processor. */
const LONGEST = 50
/** How often a body is sent until one of its stretches is short: processors that others use take longer for the same. */
const TRIES = 12
/** Milliseconds between two of the later times, in which others may have gone. */
const PAUSE = 500

/** One pair of a protocol and a body in so many is tried. */
const SHARE = IS_EXHAUSTIVE || HAS_ALL_CASES ? 1 : 4
const TURN = turnOfCommit(SHARE)

const ALL = Object.keys(PATHS) as WireName[]

/** What servers keep their runs in, and the protocols that make a difference there. */
const KEPT: readonly (readonly [backend: Backend, wires: readonly WireName[]])[] = [
  [memory, ALL],
  [sqlite(), ['ui-message-stream', 'ag-ui']],
]

for (const [backend, wires] of KEPT) {
  describe(`a server that is sent the largest bodies that it takes, in ${backend.name}`, function () {
    this.timeout(IS_EXHAUSTIVE ? 1_800_000 : 300_000)
    sendBodies(backend, wires)
  })
}

/** Each body by each protocol, or a sample of them. */
function sendBodies(backend: Backend, wires: readonly WireName[]): void {
  let api: Server
  let server: LoadProcess
  let url = ''
  before(async () => {
    api = createServer((request, response) => {
      const { url: path = '' } = request
      const [, answer = {}] = Object.entries(ANSWERS).find(([end]) => path.endsWith(end)) ?? []
      request.resume().once('end', () => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
      })
    }).listen(0, '127.0.0.1')
    await once(api, 'listening')
    server = await LoadProcess.start('../stretches/server.ts')
    const address = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    await backend.begin()
    const begin = { api: address, storage: backend.place() }
    ;({ url } = await server.ask<Stretched>({ begin }))
  })
  after(async () => {
    await server.end()
    api.close()
    await backend.end()
  })

  /** The longest stretch that a request took, on the processor of the limit, and what came of it. */
  async function longestOf(wire: WireName, body: object, model: string) {
    const text = JSON.stringify({
      ...body,
      ...(wire === 'ag-ui'
        ? { forwardedProps: { agent: model }, threadId: crypto.randomUUID() }
        : { [wire === 'ui-message-stream' ? 'agent' : 'model']: model }),
      ...(wire === 'ui-message-stream' ? { id: crypto.randomUUID() } : {}),
    })
    await server.ask({})
    const response = await fetch(`${url}${PATHS[wire]}`, { method: 'POST', body: text })
    const answer = await response.text()
    const { longest, slowness } = await server.ask<Stretched>({})
    return { longest: longest / slowness, status: response.status, answer: answer.slice(0, 300) }
  }

  async function expectShort(wire: WireName, body: object, model: string): Promise<void> {
    let least = Number.POSITIVE_INFINITY
    // A stretch is as long as its work; what else there was, as garbage, comes at other times again.
    for (let time = 0; time < TRIES && least > LONGEST; time++) {
      if (time > 3) await setTimeout(PAUSE)
      const { longest, status, answer } = await longestOf(wire, body, model)
      // The scripted provider has a window that ends before a body does.
      if (model !== 'scripted') expect(status, answer).to.equal(200)
      expect(status, answer).to.not.equal(413)
      least = Math.min(least, longest)
    }
    if (process.env['TOLD']) process.stdout.write(`      ${model}: ${least.toFixed(0)} ms\n`)
    expect(least, model).to.be.below(LONGEST)
  }

  let count = turnOfCommit(MODELS.length)
  for (const [at, wire] of wires.entries()) {
    for (const [which, { name, make }] of WORST.entries()) {
      // Each protocol has some of them, and each of them some protocol; others for each commit.
      if ((at + which + TURN) % SHARE !== 0) continue
      it(`never stands still for ${LONGEST} ms: ${name} at ${PATHS[wire]}`, async () => {
        const body = make(wire)
        // In turn through all of them; each gets each kind of body from one protocol or the other.
        const models = IS_EXHAUSTIVE ? MODELS : [MODELS[count++ % MODELS.length] as string]
        for (const model of models) await expectShort(wire, body, model)
      })
    }
  }
}
