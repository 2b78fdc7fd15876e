import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteVariables, Services } from '../context.ts'
import { answerOwnTruth } from '../conversations/index.ts'
import { type Dialect, EVENT_STREAM_HEADERS, type StreamDialect } from '../dialect.ts'
import {
  type ChatCompletionOptions,
  chatCompletionAnswer,
  chatCompletionEncoder,
  chatCompletionOptions,
  decodeChatCompletion,
} from '../wire/chat-completions/index.ts'
import { openAIErrorAnswer, responsesErrorAnswer } from '../wire/index.ts'

const OPENAI = { idHeader: 'x-request-id' } as const
export const OPENAI_DIALECT: Dialect = { ...OPENAI, errorAnswer: openAIErrorAnswer }
export const RESPONSES_DIALECT: Dialect = { ...OPENAI, errorAnswer: responsesErrorAnswer }

/** The route of OpenAI's Chat Completions API. */
export function chatCompletionRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
): void {
  app.post('/v1/chat/completions', async (c) => {
    const request = decodeChatCompletion(await readJson(c.req.raw, services.limits))
    return answerOwnTruth(c, services, {
      protocol: 'chat-completions',
      request,
      isStored: request.store,
      dialect: dialectOf(chatCompletionOptions(request, c.req.raw)),
      whole: chatCompletionAnswer,
    })
  })
}

function dialectOf(options: ChatCompletionOptions): StreamDialect {
  return {
    ...OPENAI_DIALECT,
    headers: EVENT_STREAM_HEADERS,
    encoder: (facts) => chatCompletionEncoder(facts, options),
  }
}
