import { AnswerMask, echoesOf, maskedError } from '@braidwork/core/internal'
import type { PartialEvent } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { AgentEndpoint } from '../specs/index.ts'
import type { AgentBackend, DiscoveredAgent } from './backend.ts'

/** A shorter token is not masked in errors, because it may be a part of ordinary words. */
const SHORTEST_IN_ERRORS = 4

type WithToken = Pick<AgentEndpoint, 'auth'>

/**
 * A backend that never tells the token of its endpoint, which the remote agent may repeat: of at least 12 characters in
 * answers, and of 4 in errors.
 */
export function maskedBackend(backend: AgentBackend, { auth }: WithToken): AgentBackend {
  if (!auth) return backend
  const secrets = echoesOf([auth.token])
  return {
    capabilities: backend.capabilities,
    ask: (order) => {
      const mask = new AnswerMask(secrets)
      const { warn } = order
      const own = warn ? { warn: (warning: string) => warn(mask.text(warning)) } : {}
      return maskedEvents(backend.ask({ ...order, ...own }), mask, auth.token)
    },
    abandon: async (order) => backend.abandon?.(order),
  }
}

/** What a source tells about its agent, without the token that it was sent. @throws the error of the source, without it */
export async function maskedDiscovery(
  found: Promise<DiscoveredAgent>,
  { auth }: WithToken,
): Promise<DiscoveredAgent> {
  if (!auth) return found
  try {
    return new AnswerMask(echoesOf([auth.token])).value(await found)
  } catch (error) {
    throw withoutToken(error, auth.token)
  }
}

async function* maskedEvents(
  answer: AsyncIterable<readonly PartialEvent[]>,
  mask: AnswerMask,
  token: string,
): AsyncGenerator<readonly PartialEvent[], void, undefined> {
  try {
    for await (const events of answer) {
      const shown = events.flatMap((event) => mask.next(event))
      if (shown.length > 0) yield shown
    }
  } catch (error) {
    throw withoutToken(error, token)
  }
}

/** A mask of a token for texts about failures. */
export function tokenMask(token: string): AnswerMask {
  return new AnswerMask(echoesOf([token], SHORTEST_IN_ERRORS))
}

/** An error without the token, also in its cause. */
function withoutToken(error: unknown, token: string): unknown {
  const mask = tokenMask(token)
  const known = toHostError(error)
  const masked = maskedError(known, (text) => mask.text(text))
  return masked === known ? error : masked
}
