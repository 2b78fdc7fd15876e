import type { AttackQuestion } from './harness/question.ts'
import { asked, withModel } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'
import { type Turn, UI, WIRES } from './harness/turns.ts'

const PATIENCE = 20_000
/** As often as SQLite has as many pages of its file in memory as it ever has. */
const ROUNDS = 3
const PROVIDERS = ['openai', 'openai-chat', 'openai-compatible', 'anthropic']
const WAYS = ['faithful', 'calling', 'zipped']
const MODELS = ['quick', ...WAYS.flatMap((way) => PROVIDERS.map((api) => `${way}-${api}`))]

/** As each protocol says that an answer failed. */
const ERROR = /"error":[{"]|"type":"(?:error|RUN_ERROR)"/

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Pictures come in every size. */
const PICTURES = [0, 200_000, 2_000_000].map((size) =>
  Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.alloc(size)]).toString('base64'),
)
const PAGES = 'What somebody pastes into a question has many lines.\n'.repeat(4000)

/** A question with a picture, and what came of it. */
const turnsWith = (picture: string | undefined): readonly Turn[] => [
  { kind: 'user', texts: [PAGES], image: `data:image/png;base64,${picture}` },
  { kind: 'call', id: 'c', input: { at: 1 } },
  { kind: 'result', id: 'c' },
  { kind: 'assistant', text: 'A picture.' },
  { kind: 'user', texts: ['Look again.'] },
]
const TOOL = { type: 'object', properties: { at: { type: 'number' } } }

/**
 * Asks for everything that an honest client asks for: an answer in each protocol and of each provider, a call of a
 * tool, a compressed answer, long texts, pictures, a file. A server that was ever of use has loaded what that takes, and filled its pools.
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

/** Into a conversation of its own. */
async function sendFile(question: AttackQuestion): Promise<string | undefined> {
  const [token = ''] = question.tokens
  const own = { ...question, tokens: [token] }
  const id = `file-${process.pid}-${requests}`
  const message = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Here is a file.' }] }
  const fault = await ask(own, UI.path, { id, agent: 'quick', messages: [message] })
  return fault ?? ask(own, `/api/conversations/${id}/files`, Buffer.alloc(300_000, 'a file '))
}
