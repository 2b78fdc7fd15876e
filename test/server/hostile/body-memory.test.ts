import { request } from 'node:http'
import { expect } from 'chai'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { HAS_ALL_CASES } from '../../helpers/cases.ts'
import { ADA, type OnSocket, onSocket } from './on-socket.ts'

const MEBIBYTE = 1 << 20
/** The same buffer over and over, so that the client adds nothing to what the process holds. */
const PIECE = Buffer.alloc(MEBIBYTE, ' ')
const PIECES = 20
const TIMES = HAS_ALL_CASES ? 6 : 2
/** Mebibytes of pieces that may wait here and there. */
const MOST = 8

describe('bodies that come one after the other', function () {
  this.timeout(60_000)
  let storage: Storage
  let served: OnSocket
  before(async () => {
    // A storage in memory keeps what it is given there.
    storage = await openStorage(':memory:')
    served = await onSocket({ storage })
  })
  after(async () => {
    await served.close()
    await storage.close()
  })

  function send(path: string, type: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${ADA}`, 'content-type': type }
      const options = { method: 'POST', agent: false, headers }
      const asking = request(`${served.url}${path}`, options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      }).on('error', reject)
      let sent = 0
      const more = (): void => {
        if (sent++ === PIECES) asking.end()
        else asking.write(PIECE, () => setImmediate(more))
      }
      more()
    })
  }

  /** By how much what buffers hold, garbage with it, has grown at most. */
  async function growthWhile(act: () => Promise<void>): Promise<number> {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const look = () => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    const timer = setInterval(look, 2)
    await act()
    clearInterval(timer)
    return most / MEBIBYTE
  }

  it('leave no pieces behind for the next collection, as uploads', async () => {
    const talk = (await (await served.ask('/api/conversations', '{}')).json()) as { id: string }
    const growth = await growthWhile(async () => {
      for (let time = 0; time < TIMES; time++) {
        expect(await send(`/api/conversations/${talk.id}/files`, 'image/png')).to.equal(201)
      }
    })
    expect(growth, 'mebibytes').to.be.below(MOST)
  })

  it('leave none where they are refused', async () => {
    const growth = await growthWhile(async () => {
      for (let time = 0; time < TIMES; time++) {
        expect(await send('/v1/messages', 'application/json')).to.equal(413)
      }
    })
    expect(growth, 'mebibytes').to.be.below(MOST)
  })
})
