import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { type LocalServer, localServer, until } from './local-server.ts'
import { LOAD_PROTOCOLS } from './protocols.ts'

const [, , chatCompletions] = LOAD_PROTOCOLS

async function post(url: string, body: object): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json' }
  const asked = request(url, { method: 'POST', headers, agent: false }).end(JSON.stringify(body))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response.on('error', () => undefined)
}

describe('clients that leave, or do not read', () => {
  let local: LocalServer
  let upstream: Server | undefined

  afterEach(async () => {
    await local.close()
    upstream?.closeAllConnections()
    upstream?.close()
    upstream = undefined
  })

  it('have the request to the model closed within 100 ms, on the routes that cancel at once', async () => {
    const answers: ServerResponse[] = []
    upstream = createServer((_, response) => {
      const delta = { content: 'One' }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
      answers.push(response)
    })
    upstream.listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    const base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`
    local = await localServer([openaiCompatible], {
      provider: 'openai-compatible',
      model: 'm',
      settings: { 'openai-compatible': { base_url, models: ['m'] } },
    })
    const times: number[] = []
    for (let index = 0; index < 5; index++) {
      const response = await post(
        `${local.url}${chatCompletions?.path}`,
        chatCompletions?.body('') ?? {},
      )
      await once(response, 'data')
      const closed = once(answers[index]!, 'close')
      const leftAt = performance.now()
      response.destroy()
      await closed
      times.push(performance.now() - leftAt)
    }
    times.sort((left, right) => left - right)
    // The one in the middle: others use the machine too.
    expect(times[2]).to.be.below(100)
  })

  it('get the whole answer when they read at last, and come back where they were when they left', async () => {
    const words = Array.from(
      { length: 400_000 },
      (_, index) => `word ${index} of a long text `,
    ).join('')
    local = await localServer([scripted], {
      provider: 'scripted',
      settings: { scripted: { script: [{ then: { text: words, chunks: 50_000 } }], delay_ms: 2 } },
    })
    const { path, body } = LOAD_PROTOCOLS[0]!
    const reading = await post(`${local.url}${path}`, body('talk'))
    // Neither of them reads.
    const stalled = await fetch(`${local.url}/runs/${reading.headers['x-run-id']}/events`)
    await until(() => local.server.activeRuns === 0)
    reading.destroy()

    const late: Seen[] = []
    await readEvents(stalled, late)
    expectWhole(late, words)

    const half = late.slice(0, late.length / 2)
    const url = `${local.url}/runs/${reading.headers['x-run-id']}/events?after=${half.at(-1)?.seq}`
    await readEvents(await fetch(url), half)
    expectWhole(half, words)
  }).timeout(60_000)
})

interface Seen {
  readonly type: string
  readonly seq: number
  readonly delta?: string
}

function expectWhole(seen: readonly Seen[], words: string): void {
  expect(seen.at(-1)?.type).to.equal('finish')
  expect(seen.every(({ seq }, index) => seq === index)).to.equal(true)
  expect(seen.map(({ delta }) => delta ?? '').join('') === words).to.equal(true)
}

/** Gathers the events of a response. */
async function readEvents({ body }: Response, seen: Seen[]): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const at = frame.indexOf('data: ')
      if (at !== -1) seen.push(JSON.parse(frame.slice(at + 6)) as Seen)
    }
  }
}
