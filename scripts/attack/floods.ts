import { faultOf } from './bodies.ts'
import type { AttackQuestion } from './harness/question.ts'
import { attempted } from './harness/requests.ts'
import { connected, head, said } from './harness/sockets.ts'
import { type Outcome, Tally } from './harness/tally.ts'

const RATE = 600
const OVER = 200
const TOGETHER = 50
const PATIENCE = 60_000
const UPLOADS = 60
const FILE = 25 << 20
const CONVERSATIONS = 300
const SLOW = 300
/** Milliseconds within which a client must have sent its whole request, with a margin. */
const SLOW_PATIENCE = 75_000
const MESSAGES = '/v1/messages'

/** Sends too many requests, stores too much data, and sends malformed and endless requests. */
export async function flood(question: AttackQuestion): Promise<Outcome> {
  const tally = new Tally()
  const [fast, uploader, keeper] = question.tokens as [string, string, string]
  const slow = sendSlowly(question, tally)
  await exceedRate(question, fast, tally)
  await uploadAtOnce(question, uploader, tally)
  await keepMuch(question, keeper, tally)
  await sayNonsense(question, tally)
  await slow
  return tally.outcome
}

/** Runs an action `count` times, some of them concurrently; the action gets its number. */
async function together(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const actAll = async () => {
    for (let index = next++; index < count; index = next++) await act(index)
  }
  await Promise.all(Array.from({ length: Math.min(TOGETHER, count) }, actAll))
}

async function exceedRate({ url, scale }: AttackQuestion, token: string, tally: Tally) {
  let refused = 0
  await together(RATE + Math.floor(OVER * scale), async () => {
    const answer = await attempted(url, '/v1/models', { token, patience: PATIENCE })
    if (answer.status === 429) refused++
    const isNamed = answer.status === 200 || Number(answer.headers['retry-after']) > 0
    tally.add(isNamed ? faultOf(answer) : `status ${answer.status} without retry-after`)
  })
  tally.add(refused > 0 ? undefined : `none of ${RATE + OVER} requests at once was refused`)
}

async function uploadAtOnce({ url, scale }: AttackQuestion, token: string, tally: Tally) {
  const body = Buffer.alloc(Math.floor(FILE * scale), 'x')
  const made = await attempted(url, '/api/conversations', { token, body: '{}', patience: PATIENCE })
  const { id = 'none' } = made.status === 201 ? (JSON.parse(made.text) as { id?: string }) : {}
  const path = `/api/conversations/${id}/files`
  const headers = { 'content-type': 'image/png' }
  await together(Math.ceil(UPLOADS * scale), async (index) => {
    body.writeUInt32LE(index)
    const answer = await attempted(url, path, {
      token,
      body: Buffer.from(body),
      headers,
      patience: PATIENCE,
    })
    tally.add(answer.status === 201 ? undefined : faultOf(answer))
  })
  const gone = await attempted(url, `/api/conversations/${id}`, {
    token,
    method: 'DELETE',
    patience: PATIENCE,
  })
  tally.add(gone.status === 204 ? undefined : `deleting answered ${gone.status}`)
}

/** Stores the largest conversations that are accepted, then lists them. */
async function keepMuch({ url, scale }: AttackQuestion, token: string, tally: Tally) {
  for (const size of [1 << 10, 15 << 10, 1 << 20, 9 << 20]) {
    await together(Math.ceil((CONVERSATIONS / 4) * scale), async () => {
      const body = JSON.stringify({ title: 'Much', metadata: { much: 'x'.repeat(size * scale) } })
      const answer = await attempted(url, '/api/conversations', { token, body, patience: PATIENCE })
      tally.add(answer.status === 201 ? undefined : faultOf(answer))
    })
  }
  const { text } = await attempted(url, '/api/conversations', { token, patience: PATIENCE })
  tally.add(text.length < 100_000 ? undefined : `the list has ${text.length} characters`)
}

const NONSENSE: { readonly [what: string]: string } = {
  'no HTTP': '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003',
  'a line without end': 'G'.repeat(100_000),
  'a header without end': `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(100_000)}`,
  'many headers': `GET /v1/models HTTP/1.1\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
  'two lengths': `POST ${MESSAGES} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
  'a negative length': head(`POST ${MESSAGES}`, { 'Content-Length': '-1' }),
  'a bad chunk': `${head(`POST ${MESSAGES}`, { 'Transfer-Encoding': 'chunked' })}zz\r\nx\r\n`,
  'chunk extensions': `${head(`POST ${MESSAGES}`, { 'Transfer-Encoding': 'chunked' })}1;${'x'.repeat(100_000)}`,
  'no host': 'GET /v1/models HTTP/1.1\r\n\r\n',
  'requests, then nonsense': `${head('GET /healthz', {}).repeat(100)}${'\u0001'.repeat(1000)}`,
}
const NONSENSE_TIMES = 20

/** Sends malformed HTTP. The server must refuse it with a 4xx status or close the connection. */
async function sayNonsense({ url, scale }: AttackQuestion, tally: Tally) {
  for (const [what, text] of Object.entries(NONSENSE)) {
    await together(Math.ceil(NONSENSE_TIMES * scale), async (index) => {
      const socket = await connected(url, { allowHalfOpen: index % 2 === 1 })
      if (index % 2 === 1) socket.end(text)
      else socket.write(text)
      const spoken = await said(socket, PATIENCE)
      const statuses = [...spoken.text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)
      const isRefused = spoken.isClosed && !statuses.some((status) => Number(status) >= 500)
      tally.add(isRefused ? undefined : `${what}: ${spoken.isClosed} ${statuses.join(' ')}`)
    })
  }
}

/** Sends headers and bodies at one byte per second. */
async function sendSlowly({ url, scale, tokens }: AttackQuestion, tally: Tally) {
  const authorization = `Bearer ${tokens[0]}`
  const promised = head(`POST ${MESSAGES}`, {
    Authorization: authorization,
    'Content-Length': 1000,
  })
  const beginnings = ['GET /healthz HTTP/1.1\r\nX-Slow: ', promised]
  const slow = async (index: number): Promise<void> => {
    const socket = await connected(url)
    socket.write(beginnings[index % 2] as string)
    const timer = setInterval(() => socket.write('x'), 1000)
    const { isClosed } = await said(socket, SLOW_PATIENCE)
    clearInterval(timer)
    tally.add(isClosed ? undefined : 'a connection on which a byte comes a second is still open')
  }
  await Promise.all(Array.from({ length: Math.ceil(SLOW * scale) }, (_, index) => slow(index)))
}
