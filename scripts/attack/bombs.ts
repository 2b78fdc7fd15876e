import { LOAD_PROTOCOLS, type LoadProtocol } from '../../test/server/load/protocols.ts'
import { API_MODELS } from './harness/api-models.ts'
import { BOMB_NAMES } from './harness/bomb-names.ts'
import type { AttackQuestion } from './harness/question.ts'
import { type Answered, asked, modelIn } from './harness/requests.ts'
import { type Outcome, Tally, timer } from './harness/tally.ts'

/** Milliseconds within which any malformed model answer must end. */
const PATIENCE = 20_000

/** Makes the model API send malformed answers, with each provider and each protocol. */
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

/** Checks that the response reports the model's failure, by its status or in the stream, in any protocol. */
function faultOf({ status, text }: Answered): string | undefined {
  if (status >= 400 ? /"code"|"error"/.test(text) : status === 200 && /error/i.test(text))
    return undefined
  return `status ${status} …${JSON.stringify(text.slice(-200))}`
}
