import { LOAD_PROTOCOLS, type LoadProtocol } from '../../test/server/load/protocols.ts'
import { API_MODELS } from './harness/api-models.ts'
import { BOMB_NAMES } from './harness/bomb-names.ts'
import type { AttackQuestion } from './harness/question.ts'
import { type Answered, asked, modelIn } from './harness/requests.ts'
import { type Outcome, Tally, timer } from './harness/tally.ts'

/** Milliseconds in which an answer that no model gives is over, whichever it is. */
const PATIENCE = 20_000

/** Has the model API answer as none does, on each provider, and in each protocol in turn. */
export async function explode(question: AttackQuestion): Promise<Outcome> {
  const tally = new Tally()
  const all = BOMB_NAMES.flatMap((bomb) => API_MODELS.map((api) => `${bomb}-${api}`))
  const models = all.filter((model) => question.models?.includes(model) ?? true)
  const isTimeUp = timer(question)
  for (const [index, model] of models.entries()) {
    if (isTimeUp()) {
      tally.add(`time is up before ${model}`)
      break
    }
    const protocol = LOAD_PROTOCOLS[index % LOAD_PROTOCOLS.length] as LoadProtocol
    const fault = await light(question, model, protocol)
    tally.add(fault === undefined ? undefined : `${model} at ${protocol.path}: ${fault}`)
  }
  return tally.outcome
}

async function light(
  { url, tokens }: AttackQuestion,
  model: string,
  protocol: LoadProtocol,
): Promise<string | undefined> {
  const [token = ''] = tokens
  const body = JSON.stringify(modelIn(protocol, model, `${model}-${process.pid}`))
  try {
    return faultOf(await asked(url, protocol.path, { token, body, patience: PATIENCE }))
  } catch (error) {
    return String(error)
  }
}

/** Whatever the protocol calls it: that the model failed is told, by the status or in the stream. */
function faultOf({ status, text }: Answered): string | undefined {
  if (status >= 400 ? /"code"|"error"/.test(text) : status === 200 && /error/i.test(text))
    return undefined
  return `status ${status} …${JSON.stringify(text.slice(-200))}`
}
