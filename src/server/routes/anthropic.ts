import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { answerOwnTruth } from '../conversations/index.ts'
import { EVENT_STREAM_HEADERS, type StreamDialect } from '../dialect.ts'
import { ignoredHeaders } from '../headers.ts'
import { ESTIMATED, estimatedTokens } from '../token-estimates.ts'
import {
  anthropicErrorAnswer,
  anthropicMessagesAnswer,
  anthropicMessagesEncoder,
  decodeAnthropicMessages,
  messageOptionsOf,
} from '../wire/anthropic-messages/index.ts'

export const ANTHROPIC_DIALECT: StreamDialect = {
  idHeader: 'request-id',
  errorAnswer: anthropicErrorAnswer,
  headers: EVENT_STREAM_HEADERS,
  encoder: anthropicMessagesEncoder,
}

/** The routes of Anthropic's Messages API. */
export function anthropicRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
): void {
  app.post('/v1/messages/count_tokens', async (c) => {
    const decoded = decodeAnthropicMessages(await readJson(c.req.raw, services.limits))
    const request = await services.catalog.requestFor(c.get('identity'), decoded, '/model')
    const tokens = await estimatedTokens(request.messages, request.tools)
    return c.json({ input_tokens: tokens }, 200, { ...ESTIMATED, ...ignoredHeaders(request) })
  })

  app.post('/v1/messages', async (c) => {
    const request = decodeAnthropicMessages(await readJson(c.req.raw, services.limits))
    const options = {
      showsHostCalls: knowsHostCalls(c),
      ...messageOptionsOf(request, c.req.header('anthropic-beta')),
    }
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
