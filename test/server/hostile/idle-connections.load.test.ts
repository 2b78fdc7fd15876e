import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import {
  mostSockets,
  openFiles,
  openIdleSockets,
} from '../../../scripts/attack/harness/idle-sockets.ts'
import { LoadProcess } from '../load/processes.ts'
import { LOAD_MODEL } from '../load/protocols.ts'
import type { ServerQuestion, ServerUse } from '../load/server.ts'
import { textOf } from '../load/stamps.ts'

const IDLE = 10_000
const WORDS = 20

describe(`${IDLE} connections on which nothing is asked`, () => {
  let server: LoadProcess
  let url: string
  const sockets: Socket[] = []

  before(async function () {
    this.timeout(60_000)
    if (mostSockets() < IDLE) {
      process.stderr.write(
        `"${this.test?.parent?.title}" is skipped: ulimit -n is ${openFiles()}\n`,
      )
      this.skip()
    }
    server = await LoadProcess.start('./server.ts')
    const begin: ServerQuestion['begin'] = { store: 'memory', words: WORDS, pause: 1 }
    url = (await server.ask<{ readonly url: string }>({ begin })).url
    await openIdleSockets(url, IDLE, sockets)
  })

  after(async () => {
    for (const socket of sockets) socket.destroy()
    await server?.end()
  })

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
    expect(sockets.filter(({ closed }) => closed)).to.have.length(IDLE)
    expect(await answer()).to.equal(textOf(WORDS))
    const { activeRuns } = await server.ask<ServerUse>({})
    expect(activeRuns).to.equal(0)
  }).timeout(60_000)
})
