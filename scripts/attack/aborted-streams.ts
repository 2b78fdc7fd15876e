import { type IncomingMessage, request } from 'node:http'
import { LOAD_PROTOCOLS, type LoadProtocol } from '../../test/server/load/protocols.ts'
import type { AttackQuestion } from './harness/question.ts'
import { activeRuns, comesToBe, modelIn } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'

const STREAMS = 2000
/** The number of streams that are open at the same time. */
const TOGETHER = 50
const PATIENCE = 20_000
const MODELS = [
  'slow',
  'slow-openai',
  'slow-openai-chat',
  'slow-openai-compatible',
  'slow-anthropic',
]
/** How much a client reads before it disconnects: nothing, the headers, or a part of the answer. */
const READS = ['nothing', 'the head', 'a piece'] as const

/** Clients request a long answer and disconnect, with every protocol and every provider. */
export async function abortStreams(question: AttackQuestion): Promise<Outcome> {
  const { scale, url } = question
  const tally = new Tally()
  const count = Math.floor(STREAMS * scale)
  let next = 0
  const leaveAll = async () => {
    for (let index = next++; index < count; index = next++) {
      tally.add(await leave(question, index))
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, leaveAll))
  let left = Number.NaN
  const areOver = await comesToBe(async () => {
    left = await activeRuns(url)
    return left <= 1
  }, PATIENCE)
  tally.add(areOver ? undefined : `${left} runs are still at work`)
  return tally.outcome
}

/** The fault of an answer, as far as it was read. */
async function leave(question: AttackQuestion, index: number): Promise<string | undefined> {
  const { url, tokens, models = MODELS } = question
  const protocol = LOAD_PROTOCOLS[index % LOAD_PROTOCOLS.length] as LoadProtocol
  const model = models[index % models.length] as string
  const reads = READS[index % READS.length]
  const body = JSON.stringify(modelIn(protocol, model, `left-${process.pid}-${index}`))
  const token = tokens[index % tokens.length]
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const asking = request(`${url}${protocol.path}`, { method: 'POST', agent: false, headers })
  asking.setTimeout(PATIENCE, () => asking.destroy(new Error('nothing came')))
  try {
    return await readSome(asking.end(body), reads)
  } catch (error) {
    return `${protocol.path} by ${model}: ${String(error)}`
  } finally {
    asking.on('error', () => undefined).destroy()
  }
}

async function readSome(
  asking: ReturnType<typeof request>,
  reads: (typeof READS)[number] | undefined,
): Promise<string | undefined> {
  await new Promise<void>((resolve, reject) => {
    asking.once('error', reject)
    if (reads === 'nothing') asking.once('finish', () => setImmediate(resolve))
    asking.once('response', (response: IncomingMessage) => {
      response.on('error', () => undefined)
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      else if (reads === 'a piece') response.once('data', () => resolve())
      else resolve()
    })
  })
  return undefined
}
