import type { AttackQuestion } from './harness/question.ts'
import { asked, withModel } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'
import { type Turn, UI, WIRES } from './harness/turns.ts'

const PATIENCE = 20_000
/** Enough rounds to fill SQLite's page cache. */
const ROUNDS = 3
const PROVIDERS = ['openai', 'openai-chat', 'openai-compatible', 'anthropic']
const WAYS = ['faithful', 'calling', 'zipped']
const MODELS = ['quick', ...WAYS.flatMap((way) => PROVIDERS.map((api) => `${way}-${api}`))]

/** Matches the error of an answer in any of the protocols. */
const ERROR = /"error":[{"]|"type":"(?:error|RUN_ERROR)"/

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Images of different sizes. */
const PICTURES = [0, 200_000, 2_000_000].map((size) =>
  Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.alloc(size)]).toString('base64'),
)
const PAGES = 'What somebody pastes into a question has many lines.\n'.repeat(4000)

/** A question with an image, and the answer. */
const turnsWith = (picture: string | undefined): readonly Turn[] => [
  { kind: 'user', texts: [PAGES], image: `data:image/png;base64,${picture}` },
  { kind: 'call', id: 'c', input: { at: 1 } },
  { kind: 'result', id: 'c' },
  { kind: 'assistant', text: 'A picture.' },
  { kind: 'user', texts: ['Look again.'] },
]
const TOOL = { type: 'object', properties: { at: { type: 'number' } } }

/**
 * Uses every feature that an honest client uses: an answer with each protocol and provider, a tool call, a compressed
 * answer, long texts, images, a file. After that the server has loaded all code that it needs, and filled its pools.
 */
export async function workHonestly(question: AttackQuestion): Promise<Outcome> {
  const { models = MODELS, scale } = question
  const tally = new Tally()
  const wanted = MODELS.filter((model) => models.includes(model))
  const rounds = wanted.length === 0 ? 0 : Math.ceil(ROUNDS * scale)
  for (let round = 0; round < rounds; round++) {
    const turns = turnsWith(PICTURES[round % PICTURES.length])
    for (const wire of WIRES) {
      for (const model of wanted) {
        const body = wire.body({ turns: wire === UI ? turns.slice(0, 1) : turns, tools: [TOOL] })
        tally.add(await ask(question, wire.path, withModel(wire.path, body, model)))
      }
    }
    tally.add(await sendFile(question))
  }
  return tally.outcome
}

let requests = 0

async function ask(
  { url, tokens }: AttackQuestion,
  path: string,
  content: object | Buffer,
): Promise<string | undefined> {
  const token = tokens[requests++ % tokens.length] as string
  const body = Buffer.isBuffer(content) ? content : JSON.stringify(content)
  const { status, text } = await asked(url, path, { token, body, patience: PATIENCE })
  const isGood = status < 300 && !ERROR.test(text)
  return isGood ? undefined : `${path}: ${status} ${text.slice(-300)}`
}

/** Uploads a file to a conversation of its own. */
async function sendFile(question: AttackQuestion): Promise<string | undefined> {
  const [token = ''] = question.tokens
  const own = { ...question, tokens: [token] }
  const id = `file-${process.pid}-${requests}`
  const message = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Here is a file.' }] }
  const fault = await ask(own, UI.path, { id, agent: 'quick', messages: [message] })
  return fault ?? ask(own, `/api/conversations/${id}/files`, Buffer.alloc(300_000, 'a file '))
}
