import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { ADA, type OnSocket, onSocket } from './on-socket.ts'

const PIECE = Buffer.alloc(256 * 1024, ' ')
const PIECES = 48

interface Sending {
  readonly token?: string
  /** Whether the size is said before. */
  readonly isAnnounced?: boolean
  readonly path?: string
  /** Milliseconds between two pieces. */
  readonly pause?: number
}

/** Sends 12 MiB on a connection of its own, to the end, whatever is answered meanwhile. */
function send(
  url: string,
  sending: Sending = {},
): Promise<{ status: number; said: string; isSent: boolean }> {
  const { token = ADA, isAnnounced = true, path = '/v1/messages', pause = 0 } = sending
  return new Promise((resolve, reject) => {
    const length = { 'content-length': PIECE.length * PIECES }
    const headers = { authorization: `Bearer ${token}`, ...(isAnnounced ? length : {}) }
    const asking = request(`${url}${path}`, { method: 'POST', agent: false, headers })
    asking.on('error', reject).on('response', (response) => {
      const read = text(response).then((said) =>
        resolve({ status: response.statusCode ?? 0, said, isSent: sent >= PIECES }),
      )
      read.catch(reject)
    })
    let sent = 0
    const more = (): void => {
      if (sent++ === PIECES) asking.end()
      else asking.write(PIECE, () => setTimeout(more, pause))
    }
    more()
  })
}

describe('a client that still sends when it is refused', () => {
  let served: OnSocket | undefined
  afterEach(() => served?.close())

  for (const isAnnounced of [true, false]) {
    const size = isAnnounced ? 'says its size' : 'does not say its size'
    it(`is told that its body is too large, where it ${size}`, async () => {
      served = await onSocket()
      const { status, said } = await send(served.url, { isAnnounced })
      expect(status).to.equal(413)
      expect(said).to.include('The body is larger than')
    })

    it(`is told that it has asked too often, where it ${size}`, async () => {
      served = await onSocket({ limits: { requests_per_minute: 1 } })
      await served.ask('/v1/models')
      const { status, said } = await send(served.url, { isAnnounced })
      expect(status).to.equal(429)
      expect(said).to.include('requests per minute')
    })

    it(`is told that nobody knows it, where it ${size}`, async () => {
      served = await onSocket()
      const { status } = await send(served.url, { isAnnounced, token: 'nobody-0123456789abcdef' })
      expect(status).to.equal(401)
    })
  }

  it('is told so once it has sent all, though that takes a while', async () => {
    served = await onSocket()
    const { status, isSent } = await send(served.url, { pause: 60 })
    expect({ status, isSent }).to.deep.equal({ status: 413, isSent: true })
  })

  it('is told that there is nothing at its address', async () => {
    served = await onSocket()
    const { status } = await send(served.url, { path: '/no/such' })
    expect(status).to.equal(404)
  })

  it('is told so though it never sends all that it said', async () => {
    served = await onSocket()
    const socket = await served.connect()
    const answered = new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(`${data}`)),
    )
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${ADA}\r\nContent-Length: 99999999\r\n\r\n{`,
    )
    expect(await answered).to.match(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })
})
