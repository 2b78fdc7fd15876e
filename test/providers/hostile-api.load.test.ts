import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { shareOfCommit } from '../helpers/cases.ts'
import { type Api, ATTACKS, type AttackName, HostileApi } from './hostile-api.ts'
import type { Case, Outcome } from './hostile-client.ts'

/** Mebibytes that a client may grow by, whatever it is sent: a few times the largest answer that is let in. */
const MOST_GROWN = 280

interface Expected {
  readonly send: RegExp
  readonly stream: RegExp
  readonly limits?: Case['limits']
}

const BYTES = /^PROVIDER_FAILED .*limits\.answer_bytes/
const STATUS = /^PROVIDER_FAILED .*status 50[02]/
const CALLS = /^PROVIDER_FAILED .*limits\.answer_calls/
const EVENTS = /^PROVIDER_FAILED .*limits\.answer_events/
const TIME = /^PROVIDER_FAILED .*limits\.answer"/
const SILENCE = { stream_idle: 0.3, call: 0.5 }

const EXPECTED: { readonly [A in AttackName]: Expected } = {
  'endless JSON': { send: BYTES, stream: BYTES },
  'an endless error': { send: STATUS, stream: STATUS },
  'an endless page': { send: STATUS, stream: STATUS },
  'a bomb in gzip': { send: BYTES, stream: BYTES },
  'a bomb in deflate': { send: BYTES, stream: BYTES },
  'a bomb in br': { send: BYTES, stream: BYTES },
  'a stream that is a bomb': { send: BYTES, stream: BYTES },
  'an endless line': { send: BYTES, stream: BYTES },
  'endless data lines': { send: BYTES, stream: /^PROVIDER_FAILED .*100000 lines/ },
  'endless comments': {
    send: BYTES,
    stream: /^PROVIDER_FAILED .*limits\.stream_bytes/,
  },
  'endless small events': { send: BYTES, stream: EVENTS, limits: { answer_events: 20_000 } },
  'endless empty events': { send: BYTES, stream: EVENTS, limits: { answer_events: 20_000 } },
  'endless deltas': { send: BYTES, stream: BYTES },
  'an empty event now and then': { send: /^TIMEOUT/, stream: /^TIMEOUT/, limits: SILENCE },
  'a comment now and then': { send: /^TIMEOUT/, stream: /^TIMEOUT/, limits: SILENCE },
  'a delta now and then': { send: TIME, stream: TIME, limits: { answer: 0.5 } },
  'a body that goes on behind its answer': {
    send: /^TIMEOUT/,
    stream: /^done/,
    limits: { call: 0.5 },
  },
  'a body that goes on behind [DONE]': { send: BYTES, stream: /^done/ },
  // Where they wait for the text to end, they are no calls yet.
  'twenty thousand calls': {
    send: /^PROVIDER_FAILED/,
    stream: /^PROVIDER_FAILED .*limits\.answer_(calls|parts)/,
  },
  'twenty thousand calls in one piece': { send: CALLS, stream: CALLS },
}

const NAMES = Object.keys(ATTACKS) as AttackName[]
const PROVIDERS = [
  ['openai', 'responses'],
  ['openai-compatible', 'chat'],
  ['anthropic', 'messages'],
] as const
/** Attacks in whose midst a part had arrived. */
const BEGUN = ['an endless line', 'endless deltas', 'a delta now and then']

const CLIENT = fileURLToPath(new URL('hostile-client.ts', import.meta.url))

/** What the cases came to in one process that lives through all of them. */
async function outcomesOf(
  name: string,
  api: Api,
  cases: readonly Case[],
): Promise<readonly Outcome[]> {
  const options = ['--expose-gc', '--max-old-space-size=400', '--import', 'tsx', CLIENT]
  const child = spawn(process.execPath, [...options, name, api, JSON.stringify(cases)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  const [code] = await once(child, 'close')
  expect(code, 'exit code').to.equal(0)
  const lines = Buffer.concat(pieces).toString().trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Outcome)
}

describe('a hostile model API', function () {
  this.timeout(300_000)
  let server: HostileApi
  before(async () => {
    server = await new HostileApi().start()
  })
  after(() => server.close())

  for (const [at, [name, api]] of PROVIDERS.entries()) {
    describe(`of ${name}`, () => {
      const attacks = shareOfCommit(NAMES, PROVIDERS.length, at)
      let outcomes: readonly Outcome[] = []
      before(async () => {
        const cases = attacks.flatMap((attack) =>
          (['send', 'stream'] as const).map((mode) => {
            const { limits = {} } = EXPECTED[attack]
            return { attack, mode, url: server.urlOf(attack, api), limits }
          }),
        )
        const headers = 'endless headers'
        const url = server.urlOf(headers, api)
        const models = server.urlOf('endless JSON', api)
        outcomes = await outcomesOf(name, api, [
          ...cases,
          { attack: headers, mode: 'stream', url, limits: {} },
          { attack: 'endless JSON', mode: 'refreshModels', url: models, limits: {} },
        ])
      })

      const outcomeOf = (attack: string, mode: string): Outcome => {
        const found = outcomes.find((one) => one.attack === attack && one.mode === mode)
        if (!found) throw new Error(`nothing came of ${attack}`)
        return found
      }
      const told = ({ code, message }: Outcome): string => `${code} ${message}`

      for (const attack of attacks) {
        it(`ends by a limit that is named: ${attack}`, () => {
          expect(told(outcomeOf(attack, 'send'))).to.match(EXPECTED[attack].send)
          expect(told(outcomeOf(attack, 'stream'))).to.match(EXPECTED[attack].stream)
        })
      }

      it('fails where headers have no end, and where the list of models has none', () => {
        expect(outcomeOf('endless headers', 'stream').code).to.equal('PROVIDER_FAILED')
        expect(told(outcomeOf('endless JSON', 'refreshModels'))).to.match(BYTES)
      })

      for (const attack of attacks.filter((one) => BEGUN.includes(one))) {
        it(`leaves what had arrived: ${attack}`, () => {
          expect(outcomeOf(attack, 'stream').parts).to.equal(1)
        })
      }

      const calls = 'twenty thousand calls in one piece'
      if (attacks.includes(calls)) {
        it(`leaves what had arrived: ${calls}`, () => {
          expect(outcomeOf(calls, 'send').parts).to.be.within(4000, 4001)
        })
      }

      it('takes little memory, and closes every socket', () => {
        const most = outcomes.reduce((worst, one) => (one.grown > worst.grown ? one : worst))
        const slowest = outcomes.reduce((worst, one) =>
          one.milliseconds > worst.milliseconds ? one : worst,
        )
        process.stdout.write(
          `        most memory: ${most.grown} MiB (${most.attack}, ${most.mode}); slowest: ${slowest.milliseconds} ms (${slowest.attack}, ${slowest.mode})\n`,
        )
        expect(most.grown, most.attack).to.be.below(MOST_GROWN)
        expect(server.open).to.equal(0)
      })
    })
  }
})
