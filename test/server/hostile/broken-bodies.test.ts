import { expect } from 'chai'
import type { Log } from '../../../src/plugin/context.ts'
import { head, type OnSocket, onSocket } from './on-socket.ts'
import { ROUTES } from './routes.ts'

type Line = Parameters<Log>[0]

/** Routes that read a body; those whose body says nothing do not wait for one. */
const WITHOUT_BODY = new Set(['/api/chat/:id/stop', '/runs/:id/stop', '/v1/responses/:id/cancel'])
const READING = ROUTES.filter(
  ({ method, path }) => /^(?:POST|PUT|PATCH)$/.test(method) && !WITHOUT_BODY.has(path),
)

describe('a client that leaves in the middle of a body', () => {
  let served: OnSocket
  let id = ''
  let lines: Line[] = []
  /** Told of each line of the log. */
  let heard: () => void = () => undefined

  before(async () => {
    const log: Log = (line) => {
      lines.push(line)
      heard()
    }
    served = await onSocket({ log, limits: { requests_per_minute: 1e9 } })
    const made = await served.ask('/api/conversations', {})
    ;({ id } = (await made.json()) as { id: string })
  })
  after(() => served.close())

  /** The line of the log that says how a request was answered. */
  async function answered(path: string): Promise<Line> {
    for (;;) {
      const line = lines.find((one) => one['path'] === path)
      if (line) return line
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
  }

  for (const { method, path } of READING) {
    for (const framing of [{ 'Content-Length': 1000 }, { 'Transfer-Encoding': 'chunked' }]) {
      const [name = ''] = Object.keys(framing)
      it(`is no failure of ${method} ${path}, by ${name}`, async () => {
        lines = []
        const socket = await served.connect()
        const asked = path.replace(/:\w+/, id)
        const type = path.endsWith('/files') ? 'image/png' : 'application/json'
        const begun = '{"messages": ['
        const part =
          name === 'Content-Length' ? begun : `${begun.length.toString(16)}\r\n${begun}\r\n`
        socket.write(head(`${method} ${asked}`, { 'Content-Type': type, ...framing }) + part)
        // The server has the head before the client goes.
        await new Promise<void>((resolve) => void socket.end(() => resolve()))
        socket.destroy()
        const line = await answered(asked)
        expect(line['status']).to.be.within(400, 499)
        expect(lines.filter(({ level }) => level !== 'info')).to.deep.equal([])
      })
    }
  }

  it('is tried on all addresses that read one', () => {
    expect(READING.length).to.be.at.least(9)
  })
})
