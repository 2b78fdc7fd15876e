// What the programs of Node applications share: the server, questions with their checks, and the lines they print.
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'

export const ORIGIN = process.env['BRAIDWORK_URL']
export const OPENAI_URL = `${ORIGIN}/v1`
export const KEY = process.env['BRAIDWORK_KEY']
export const MODEL = process.env['BRAIDWORK_MODEL']
export const WRONG_KEY = 'not-a-key-of-this-server'
export const UNKNOWN_MODEL = 'unpublished'

const CASES = [
  'plain',
  'streamed',
  'client tool',
  'host tool',
  'structured',
  'turns',
  'image',
  'stop',
  'errors',
]
const SECONDS = 60

export const HELLO = 'Say hello to the server, and to all who read along.'
export const USE_HOST_TOOL = 'Use the tool calculate with {"expression": "1234 * 5678"}.'
export const PRODUCT = '7006652'
export const USE_TOOL = 'Use the tool get_weather with {"city": "Paris"}.'
export const PERSON = 'Write down this person: name=Ada, age=36.'
export const RECALL = 'What did I say before?'
export const LOOK = 'What do you see?'

/**
 * Runs the cases of one row of the table. A case is a function, which works if it throws nothing, or the reason why
 * the application or the protocol has no notion of it.
 */
export async function run(api, cases) {
  for (const [name, case_] of Object.entries(cases)) {
    if (!CASES.includes(name)) throw new Error(`There is no case "${name}".`)
    if (typeof case_ === 'string') print({ api, case: name, outcome: 'cannot', why: case_ })
    else print({ api, case: name, ...(await outcomeOf(case_)) })
  }
}

async function outcomeOf(case_) {
  const over = new AbortController()
  try {
    const late = pause(SECONDS * 1000, undefined, { signal: over.signal }).then(() => {
      throw new Error(`no result within ${SECONDS} seconds`)
    })
    await Promise.race([case_(), late])
    return { outcome: 'works' }
  } catch (error) {
    process.stderr.write(`${error?.stack ?? error}\n`)
    return { outcome: 'fails', why: `${error?.name ?? 'Error'}: ${error?.message ?? error}` }
  } finally {
    over.abort()
  }
}

function print(line) {
  process.stdout.write(`\n${JSON.stringify(line)}\n`)
}

export function has(text, wanted) {
  if (!String(text).includes(wanted)) {
    throw new Error(`${JSON.stringify(text)} lacks ${JSON.stringify(wanted)}`)
  }
}

/** The answer is that to `question`. */
export function echoes(text, question = HELLO) {
  has(text, `You said: ${question}`)
}

/** A stream is one if it came in more than a few pieces; returns the whole text. */
export function cameInPieces(pieces) {
  if (pieces.length <= 5) throw new Error(`only ${pieces.length} pieces came`)
  return pieces.join('')
}

export function isAda({ name, age } = {}) {
  if (name !== 'Ada' || age !== 36) throw new Error(`the person is ${name}, ${age}`)
}

/** The application's own error comes out, as the check tells; the check's result says that it is the right one. */
export async function throws(doing, check) {
  let error
  try {
    await doing()
  } catch (thrown) {
    error = thrown
  }
  if (error === undefined) throw new Error('nothing was thrown')
  if (!check(error)) throw new Error(`not this error was meant: ${error?.stack ?? error}`)
}

/** The client's own tool. Its report has a code that only a call can know. */
export class Weather {
  code = randomBytes(4).toString('hex')
  asked = []

  report = ({ city }) => {
    this.asked.push(city)
    return `21 degrees in ${city}, report ${this.code}`
  }

  /** The tool was called once, for Paris, and the model saw its result. */
  wasTold(answer) {
    if (String(this.asked) !== 'Paris') throw new Error(`the tool was asked for ${this.asked}`)
    has(answer, this.code)
  }
}

export function aWord() {
  return `word-${randomBytes(4).toString('hex')}`
}

/** A slow answer of 20 seconds, to be stopped. */
export class Count {
  mark = `mark-${randomBytes(6).toString('hex')}`
  question = `Count to 400 under the mark ${this.mark}.`

  /** The server's run ended before the answer did: the model API saw its connection close. */
  async wasStopped() {
    const limit = performance.now() + 10_000
    let count
    while (performance.now() < limit) {
      count = await this.look()
      if (count.state === 'cut') return
      if (count.state !== 'running') {
        throw new Error(`the answer was not stopped: ${JSON.stringify(count)}`)
      }
      await pause(50)
    }
    throw new Error(`the run went on for 10 seconds: ${JSON.stringify(count)}`)
  }

  /** Waits until the model has said something. */
  async hasBegun() {
    const limit = performance.now() + 30_000
    while ((await this.look()).sent < 5) {
      if (performance.now() > limit) throw new Error('no answer began within 30 seconds')
      await pause(50)
    }
  }

  async look() {
    const response = await fetch(`${process.env['BRAIDWORK_COUNTS']}/counts/${this.mark}`)
    return response.ok ? response.json() : { state: 'running', sent: 0 }
  }
}

/** A PNG of one color, another each time. */
export class Image {
  constructor() {
    const row = Buffer.concat([Buffer.of(0), ...Array(8).fill(randomBytes(3).subarray(0, 3))])
    const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0])
    this.bytes = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.concat(Array(8).fill(row)))),
      chunk('IEND', Buffer.alloc(0)),
    ])
    this.base64 = this.bytes.toString('base64')
    this.url = `data:image/png;base64,${this.base64}`
  }

  /** The model saw these bytes. */
  wasSeen(answer) {
    has(answer, `I see image/png of ${this.bytes.length} bytes`)
    has(answer, createHash('sha256').update(this.bytes).digest('hex').slice(0, 12))
  }
}

function chunk(kind, data) {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, sum])
}
