import type { ChatCompletionOptions } from './encoder.ts'
import type { ChatCompletionRequest } from './request.ts'

/** OpenAI's clients of before March 2024, which pass over each event that has a name. */
const UNNAMED_ONLY = /OpenAI\/(?:JS 4\.(?:1?\d|2[0-8])|Python 1\.(?:\d|1[0-3]))\./

/** Says how a client is written a stream. */
export function chatCompletionOptions(
  { includesUsage }: ChatCompletionRequest,
  { headers }: Pick<Request, 'headers'>,
): ChatCompletionOptions {
  return { includesUsage, namesErrors: !UNNAMED_ONLY.test(headers.get('user-agent') ?? '') }
}
