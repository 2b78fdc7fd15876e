import { isObject } from '@braidwork/plugin'
import { Problem } from '../problem.ts'
import { oneLine } from '../visible.ts'
import { rootOf } from './roots.ts'
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from './server-questions.ts'

/** The most times that a server may ask back before it answers a call. */
const MOST_ROUNDS = 16

/** What a call says beside its tool and arguments once the server has asked back. */
export interface Round {
  readonly inputResponses?: { readonly [key: string]: unknown }
  readonly requestState?: string
}

interface Asking {
  readonly ask: (elicitation: Elicitation) => Promise<ElicitationAnswer>
  readonly sample: (request: SamplingRequest) => Promise<SamplingAnswer>
  readonly roots: readonly string[]
}

/**
 * Sends a call, and sends it again with what the server asks for (protocol 2026-07-28), until it has a result.
 * @throws {Problem} if the server asks for something that it does not get, or too often
 */
export async function throughRounds(
  send: (round: Round) => Promise<unknown>,
  asking: Asking,
): Promise<unknown> {
  let round: Round = {}
  for (let count = 0; count < MOST_ROUNDS; count++) {
    const result = await send(round)
    if (!isObject(result) || result['resultType'] !== 'input_required') return result
    const { inputRequests, requestState } = result
    round = {
      inputResponses: await responsesTo(inputRequests, asking),
      ...(typeof requestState === 'string' ? { requestState } : {}),
    }
  }
  throw new Problem(`it asked back more than ${MOST_ROUNDS} times`)
}

async function responsesTo(requests: unknown, asking: Asking) {
  const responses: { [key: string]: unknown } = {}
  for (const [key, request] of Object.entries(isObject(requests) ? requests : {}))
    responses[key] = await responseTo(request, asking)
  return responses
}

function responseTo(request: unknown, { ask, sample, roots }: Asking): Promise<unknown> {
  const { method, params } = isObject(request) ? request : {}
  if (method === 'elicitation/create' && isObject(params)) return ask(params as never)
  if (method === 'sampling/createMessage' && isObject(params)) return sample(params)
  if (method === 'roots/list') return Promise.resolve({ roots: roots.map(rootOf) })
  throw new Problem(`it asked for "${oneLine(String(method))}", which is refused`)
}
