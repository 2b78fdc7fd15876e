import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Caller } from '../../src/plugin/index.ts'
import type { Identity, ServerOptions } from '../../src/server/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { eventProvider, schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const FORGED = { id: 'root', role: 'admin', data: { team: 'red' } }
const ADA: Identity = { id: 'ada', role: 'user', scope: 'read', data: { team: 'blue' } }
const messages = [{ role: 'user', content: 'hi' }]
const agUi = {
  threadId: 't',
  runId: 'r',
  tools: [],
  context: [],
  messages: [{ ...messages[0], id: 'm' }],
}
const forged = { caller: FORGED, role: 'admin', scope: 'all', data: FORGED }

/** Requests of each protocol, with a caller that the client made up. */
const REQUESTS: readonly (readonly [path: string, body: object])[] = [
  [
    '/v1/chat/completions',
    { model: 'm', messages, metadata: { caller: 'root' }, user: 'root', ...forged },
  ],
  ['/v1/responses', { model: 'm', input: 'hi', metadata: forged, ...forged }],
  [
    '/v1/messages',
    { model: 'm', messages, max_tokens: 9, metadata: { user_id: 'root' }, ...forged },
  ],
  ['/v1/embeddings', { model: 'm', input: 'hi', user: 'root', ...forged }],
  ['/api/chat', chatBody('c', [user('q', 'hi')], { agent: 'm', ...forged })],
  ['/ag-ui', { ...agUi, state: forged, forwardedProps: { ...forged, agent: 'm' }, ...forged }],
]
const HEADERS = {
  'x-caller': 'root',
  'x-user-id': 'root',
  'x-braidwork-caller': JSON.stringify(FORGED),
}

interface Seen {
  readonly hook: string
  readonly caller: Caller | undefined
}

const call = [
  { type: 'tool-call-start', id: 'c', name: 'look' },
  { type: 'tool-call-end', id: 'c', input: {} },
]
const said = [
  { type: 'text-start', id: '1' },
  { type: 'text-end', id: '1' },
]

describe('the caller of a run', () => {
  let seen: Seen[]
  const open: Served[] = []
  beforeEach(() => {
    seen = []
  })
  afterEach(async () => {
    for (const served of open.splice(0)) await served.close()
  })

  async function serve(
    options: Omit<Partial<ServerOptions>, 'host'> = {},
    config: object = {},
  ): Promise<Served> {
    const note = (hook: string, context: unknown) => {
      seen.push({ hook, caller: (context as { caller?: Caller }).caller })
    }
    const stream = (native: { readonly length: number }, _state: unknown, context: unknown) => {
      note('stream', context)
      return JSON.stringify(native).includes('tool-result') ? said : call
    }
    const embed = (_inputs: unknown, _options: unknown, context: unknown) => {
      note('embed', context)
      return { vectors: [[1]] }
    }
    const executeTool = (_call: unknown, _state: unknown, context: unknown) => {
      note('executeTool', context)
      return 'seen'
    }
    const served = await Served.start(
      { models: { m: {} }, authenticate: () => ADA, ...options },
      {
        plugins: [
          eventProvider([], { tags: ['tools'], stream, embed }),
          tool('t', { getToolSchemas: () => [schema('look')], executeTool }),
        ],
        config: { provider: 'p', ...config },
      },
    )
    open.push(served)
    return served
  }

  it('is who authenticate says, whatever a client claims in body, headers and metadata', async () => {
    const served = await serve()
    for (const [path, body] of REQUESTS) {
      seen.length = 0
      const { status, text } = await served.ask(path, { body, headers: HEADERS })
      expect(status, `${path} ${text}`).to.equal(200)
      expect(seen.map(({ hook }) => hook)).to.deep.equal(
        path === '/v1/embeddings' ? ['embed'] : ['stream', 'executeTool', 'stream'],
      )
      for (const { hook, caller } of seen) expect(caller, `${path} ${hook}`).to.deep.equal(ADA)
    }
  })

  it('is not told to clients', async () => {
    const served = await serve()
    for (const [path, body] of REQUESTS) {
      const { text } = await served.ask(path, { body })
      expect(text, path).not.to.include('blue')
    }
    const { text } = await served.ask('/api/conversations/c')
    expect(text).not.to.include('blue')
  })

  it('is the same after an approval, on another process, which knows less of the person', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-callers-'))
    const path = join(folder, 'store.db')
    let storage = await openStorage(path)
    const policy = { tool_policy: { look: 'ask' } }
    const first = await serve({ storage }, policy)
    const body = chatBody('c', [user('q', 'hi')], { agent: 'm' })
    const { text } = await first.ask('/api/chat', { body })
    const [, id] = /"approvalId":"([^"]+)"/.exec(text) ?? []
    await first.close()
    await storage.close()
    open.length = 0
    seen.length = 0
    storage = await openStorage(path)
    const authenticate = () => ({ id: 'ada', role: 'user', data: { team: 'new' } }) as const
    const second = await serve({ storage, authenticate }, policy)
    const answer = await second.ask(`/approvals/${id}`, { body: { approved: true } })
    expect(answer.status).to.equal(200)
    const { runId } = JSON.parse(answer.text) as { readonly runId: string }
    await second.ask(`/runs/${runId}/events`)
    expect(seen.map(({ hook }) => hook)).to.deep.equal(['executeTool', 'stream'])
    for (const { caller } of seen) expect(caller).to.deep.equal(ADA)
    await second.close()
    open.length = 0
    await storage.close()
    await rm(folder, { recursive: true })
  })

  it('is refused, without a word to clients, where its data cannot be stored', async () => {
    const lines: { readonly level: string; readonly message: string }[] = []
    const data = { big: 1n } as unknown as NonNullable<Identity['data']>
    const served = await serve({
      authenticate: () => ({ ...ADA, data }),
      log: (line) => lines.push(line),
    })
    const [path, body] = REQUESTS[0] as (typeof REQUESTS)[number]
    const { status, text } = await served.ask(path, { body })
    expect(status).to.equal(500)
    expect(text).not.to.include('data')
    expect(lines.filter(({ level }) => level === 'error')[0]?.message).to.include(
      '/caller/data/big',
    )
    expect(served.activeRuns).to.equal(0)
  })
})
