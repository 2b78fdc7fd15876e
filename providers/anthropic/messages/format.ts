import { type Format, isRepaired, onlyInline, type Profile } from '@braidwork/model-api/exchange'
import { betaHeaders } from './betas.ts'
import { isWholeMessage, MessagesAnswer } from './chunks.ts'
import { isOutOfReach } from './history.ts'
import { asStart, coreMessage } from './message.ts'
import { withoutRefusedThinking } from './refused-thinking.ts'
import { messagesRequest } from './request.ts'
import { versionHeaders } from './version.ts'

const MEGABYTE = 1024 * 1024

/** The messages API (https://platform.claude.com/docs/en/api/messages). */
export function messagesFormat(profile: Profile): Format {
  return {
    profile,
    callIds: { pattern: /^[\w-]+$/, longest: 64, isUnique: true },
    files: {
      types: /^(image\/(jpeg|png|gif|webp)|application\/pdf|text\/.+)$/,
      // A request may have 32 MB, with files in base64 (https://platform.claude.com/docs/en/api/errors). An image may
      // have 10 MB ("image exceeds 10 MB maximum"; 5 MB until 2026, and still on some clouds).
      largest: 24 * MEGABYTE,
      largestImage: 7.5 * MEGABYTE,
      faultOf: (file) => (isOutOfReach(file) ? onlyInline('The messages API') : undefined),
    },
    path: '/v1/messages',
    list: 'content',
    mayBeEmpty: true,
    request: (input) => messagesRequest(input, profile),
    streaming: (body) => ({ ...body, stream: true }),
    headers: (body, config) => ({ ...betaHeaders(body, config), ...versionHeaders(body, config) }),
    ending: { wholeWith: isWholeMessage, hasDone: false },
    wholeAsChunk: asStart,
    repair: withoutRefusedThinking,
    gather: (context) => new MessagesAnswer({ profile, isRepaired: isRepaired(context) }),
    message: (answer, isRepaired) => coreMessage(answer, { profile, isRepaired }),
  }
}
