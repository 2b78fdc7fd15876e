import { expect } from 'chai'
import type { Log } from '../../src/plugin/index.ts'
import { chatBody, Served, user } from './routes/served.ts'

type LogEntry = Parameters<Log>[0]

describe('a page whose request is refused', () => {
  let served: Served
  let logged: LogEntry[]
  beforeEach(async () => {
    logged = []
    const log = (entry: LogEntry) => void logged.push(entry)
    const limits = { body: 400 }
    served = await Served.start({ hosts: ['chat.example.org', 'localhost'], limits, log })
  })
  afterEach(() => served.close())

  const warnings = () => logged.filter(({ level }) => level === 'warn')

  it('is named in the log with its origin, since the browser hides the error from it', async () => {
    const origin = 'https://pages.example.org'
    for (const method of ['OPTIONS', 'GET']) {
      const { status } = await served.ask('/api/conversations', { method, headers: { origin } })
      expect(status).to.equal(403)
      const [warning] = warnings().splice(-1)
      expect(warning).to.deep.include({ code: 'ORIGIN_FOREIGN', origin })
      expect(warning?.message).to.include('Add the origin to "origins"')
    }
    expect(warnings()).to.have.length(2)
  })

  it('is named in the log where it asks for another host', async () => {
    const { status } = await served.ask('/api/conversations', { headers: { host: 'a.example' } })
    expect(status).to.equal(421)
    expect(warnings()).to.have.length(1)
    expect(warnings()[0]).to.deep.include({ level: 'warn', code: 'HOST_FOREIGN' })
  })

  it('is told which limit its body is over, and what to send instead', async () => {
    const long = 'a'.repeat(500)
    const chat = await served.ask('/api/chat', { body: chatBody('c1', [user('u1', long)]) })
    expect([chat.status, chat.json]).to.deep.equal([
      413,
      {
        code: 'REQUEST_TOO_LARGE',
        message:
          'The body is larger than 400 bytes, the limit in the server\'s "limits.body". Send the new message alone, as "message", and its files before it, by POST /api/conversations/{id}/files.',
      },
    ])
    const run = await served.ask('/ag-ui', { body: { threadId: 'c1', messages: [long] } })
    expect(run.text).to.include('Send only the new messages')
    const other = await served.ask('/v1/responses', { body: { input: long } })
    expect(other.text).to.include('limits.body').and.not.include('Send')
    expect(warnings()).to.deep.equal([])
  })
})
