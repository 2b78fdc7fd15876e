import type { AttackQuestion } from './harness/question.ts'
import { asked, withModel } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'
import { type Turn, UI, WIRES } from './harness/turns.ts'

const PATIENCE = 20_000
/** As often as SQLite has as many pages of its file in memory as it ever has. */
const ROUNDS = 2
const PROVIDERS = ['openai', 'openai-chat', 'openai-compatible', 'anthropic']
const WAYS = ['faithful', 'calling', 'zipped']
const MODELS = ['quick', ...WAYS.flatMap((way) => PROVIDERS.map((api) => `${way}-${api}`))]

/** As each protocol says that an answer failed. */
const ERROR = /"error":[{"]|"type":"(?:error|RUN_ERROR)"/

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A question with a picture, and what came of it. */
const TURNS: readonly Turn[] = [
  { kind: 'user', texts: ['What is this?'], image: `data:image/png;base64,${PIXEL}` },
  { kind: 'call', id: 'c', input: { at: 1 } },
  { kind: 'result', id: 'c' },
  { kind: 'assistant', text: 'A picture.' },
  { kind: 'user', texts: ['Look again.'] },
]
const TOOL = { type: 'object', properties: { at: { type: 'number' } } }

/**
 * Asks for everything that an honest client asks for: an answer in each protocol and of each provider, a call of a
 * tool, a compressed answer, a file. A server that was ever of use has loaded what that takes, and filled its pools.
 */
export async function workHonestly(question: AttackQuestion): Promise<Outcome> {
  const { models = MODELS, scale } = question
  const tally = new Tally()
  const wanted = MODELS.filter((model) => models.includes(model))
  const rounds = wanted.length === 0 ? 0 : Math.ceil(ROUNDS * scale)
  for (let round = 0; round < rounds; round++) {
    for (const wire of WIRES) {
      for (const model of wanted) {
        const body = wire.body({ turns: wire === UI ? TURNS.slice(0, 1) : TURNS, tools: [TOOL] })
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
  const fault = await ask(own, UI.path, { id, model: 'quick', messages: [message] })
  return fault ?? ask(own, `/api/conversations/${id}/files`, Buffer.alloc(300_000, 'a file '))
}
