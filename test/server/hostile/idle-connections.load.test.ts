import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { LoadProcess } from '../load/processes.ts'
import { LOAD_MODEL } from '../load/protocols.ts'
import type { ServerQuestion, ServerUse } from '../load/server.ts'
import { textOf } from '../load/stamps.ts'

const IDLE = 10_000
/** How many connect at once: more would wait longer than a server listens for them. */
const TOGETHER = 250
/** Files that a process opens beside its connections. */
const SPARE = 200
const WORDS = 20

interface Limits {
  readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } }
}

function openFiles(): number {
  const { soft } = (process.report.getReport() as unknown as Limits).userLimits.open_files
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

describe(`${IDLE} connections on which nothing is asked`, () => {
  let server: LoadProcess
  let url: string
  const sockets: Socket[] = []
  let left = 0

  before(async function () {
    this.timeout(60_000)
    if (openFiles() < IDLE + SPARE) {
      process.stderr.write(
        `"${this.test?.parent?.title}" is skipped: ulimit -n is ${openFiles()}\n`,
      )
      this.skip()
    }
    server = new LoadProcess('./server.ts')
    const begin: ServerQuestion['begin'] = { store: 'memory', words: WORDS, pause: 1 }
    url = (await server.ask<{ readonly url: string }>({ begin })).url
    while (sockets.length < IDLE) {
      sockets.push(...(await Promise.all(Array.from({ length: TOGETHER }, idle))))
    }
  })

  after(async () => {
    for (const socket of sockets) socket.destroy()
    await server?.end()
  })

  async function idle(): Promise<Socket> {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
    await once(socket, 'connect')
    socket.on('error', () => undefined).once('close', () => left++)
    return socket.resume()
  }

  async function answer(): Promise<string> {
    const messages = [{ role: 'user', content: 'Go' }]
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: LOAD_MODEL, messages }),
    })
    const { choices } = (await response.json()) as {
      readonly choices: readonly { readonly message: { readonly content: string } }[]
    }
    return choices[0]?.message.content.replaceAll(/@[\d.]+/g, '') ?? ''
  }

  it('hold up nobody who asks', async () => {
    expect(await answer()).to.equal(textOf(WORDS))
  })

  it('are sent away, and leave nothing behind', async () => {
    const open = sockets.filter(({ closed }) => !closed)
    await Promise.all(open.map((socket) => once(socket, 'close')))
    expect(left).to.equal(IDLE)
    expect(await answer()).to.equal(textOf(WORDS))
    const { activeRuns } = await server.ask<ServerUse>({})
    expect(activeRuns).to.equal(0)
  }).timeout(60_000)
})
