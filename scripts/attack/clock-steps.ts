import { textOf } from '../../test/server/load/stamps.ts'
import type { InstalledCommand } from '../install/packed.ts'
import { AttackedServer } from './harness/attacked-server.ts'
import { watchHealth } from './harness/health-watch.ts'
import { type Answered, asked, attempted, comesToBe } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'
import { tokenOf } from './harness/tokens.ts'

const HOUR = 60 * 60_000
const YEAR = 365 * 24 * HOUR
/** Steps in both directions and back. */
const STEPS = [
  ['an hour on', HOUR],
  ['an hour back', -HOUR],
  ['an hour back again', -HOUR],
  ['an hour on again', HOUR],
  ['a year on', YEAR],
  ['a year back', -YEAR],
  ['a year back again', -YEAR],
  ['a year on again', YEAR],
] as const
const RATE = 30
/** Milliseconds until the rate limit allows one more request, with a margin. */
const REFILL = 3 * (60_000 / RATE)
/** Seconds of a run's lease. It is shorter than a run, so that a clock step could make it expire. */
const LEASE = 2
const WORDS = 150
const PAUSE = 25
const PATIENCE = 20_000

/** Steps the wall clock of a server while runs, rate limits and leases are active. */
export async function stepClocks(installation: InstalledCommand): Promise<Outcome> {
  const tally = new Tally()
  const ids = STEPS.flatMap((_, index) => [`spender-${index}`, `runner-${index}`])
  const server = await AttackedServer.start(installation, {
    provider: 'scripted',
    settings: { scripted: { script: [{ then: { text: textOf(WORDS) } }], delay_ms: PAUSE } },
    server: {
      tokens: ids.map((id) => ({ id, token: tokenOf(id) })),
      limits: { requests_per_minute: RATE },
      lease_seconds: LEASE,
    },
  })
  try {
    await watchHealth(server.url, tally, async () => {
      for (const index of STEPS.keys()) await stepOnce(server, index, tally)
    })
  } finally {
    tally.add((await server.stop()) ? undefined : 'the server did not stop when it was told to')
  }
  return tally.outcome
}

async function stepOnce(server: AttackedServer, index: number, tally: Tally): Promise<void> {
  const [name, step] = STEPS[index] as (typeof STEPS)[number]
  const spender = tokenOf(`spender-${index}`)
  const runner = tokenOf(`runner-${index}`)
  const list = () => asked(server.url, '/api/conversations', { token: spender, patience: PATIENCE })
  const answers = Promise.all(['before-1', 'before-2'].map((id) => chat(server, runner, id)))
  await comesToBe(async () => (await list()).status === 429, PATIENCE)
  await server.stepClock(step)
  const add = (fault: string | undefined) =>
    tally.add(fault === undefined ? undefined : `${name}: ${fault}`)
  add(spentFault([await list(), await list(), await list()]))
  const isServed = await comesToBe(async () => (await list()).status === 200, REFILL)
  add(isServed ? undefined : `nothing more may be asked after ${REFILL} ms`)
  add(wholeFault(await chat(server, runner, 'after')))
  for (const answer of await answers) add(wholeFault(answer))
}

/** Checks that used-up requests stay used up, except for the one that was refilled meanwhile. */
function spentFault(answers: readonly Answered[]): string | undefined {
  const refusals = answers.filter(({ status }) => status === 429)
  if (refusals.length < 2) return 'the requests that were spent count no more'
  const waits = refusals.map(({ headers }) => Number(headers['retry-after']))
  if (waits.every((wait) => wait > 0 && wait <= 60)) return undefined
  return `retry-after is ${waits.join(', ')}`
}

/** Checks that a run ends normally, and is not mistaken for a run whose process has died. */
function wholeFault({ status, text }: Answered): string | undefined {
  const told = [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('')
  if (status === 200 && told === textOf(WORDS)) return undefined
  return `a run ended with status ${status} …${text.slice(-200)}`
}

function chat({ url }: AttackedServer, token: string, id: string): Promise<Answered> {
  const messages = [{ id: `${id}-q`, role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }]
  const body = JSON.stringify({ id, messages, trigger: 'submit-message' })
  return attempted(url, '/api/chat', { token, body, patience: PATIENCE })
}
