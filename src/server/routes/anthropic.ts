import type { Hono } from 'hono'
import { readJson } from '../body.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { EVENT_STREAM_HEADERS, type StreamDialect } from '../dialect.ts'
import { answerOwnTruth } from '../own-truth.ts'
import {
  anthropicErrorAnswer,
  anthropicMessagesAnswer,
  anthropicMessagesEncoder,
  decodeAnthropicMessages,
} from '../wire/anthropic-messages/index.ts'

export const ANTHROPIC_DIALECT: StreamDialect = {
  errorAnswer: (error) => anthropicErrorAnswer(error),
  headers: EVENT_STREAM_HEADERS,
  encoder: anthropicMessagesEncoder,
}

/** The route of Anthropic's Messages API. */
export function anthropicRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
): void {
  app.post('/v1/messages', async (c) => {
    const options = { showsHostCalls: knowsHostCalls(c) }
    const request = decodeAnthropicMessages(await readJson(c.req.raw, services.limits))
    return answerOwnTruth(c, services, {
      protocol: 'anthropic-messages',
      request,
      isStored: false,
      dialect: {
        ...ANTHROPIC_DIALECT,
        encoder: (facts) => anthropicMessagesEncoder(facts, options),
      },
      whole: (facts) => anthropicMessagesAnswer(facts, options),
    })
  })
}

/**
 * Whether a client knows the blocks of calls that a server ran. They are part of the beta API only; other clients may
 * take them for texts.
 */
function knowsHostCalls({ req }: RouteContext): boolean {
  return req.query('beta') === 'true' || (req.header('anthropic-beta') ?? '').includes('mcp-client')
}
