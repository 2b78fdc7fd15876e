import { HostError, isObject } from '@braidwork/plugin'
import { createServer, LOCAL } from '@braidwork/server'
import { jsonText, visible } from './characters.ts'
import { EXIT } from './exit.ts'
import type { ConfigOptions } from './options.ts'
import { withOwnServer } from './own-server.ts'
import { serverLog } from './server-log.ts'

export interface CompactOptions extends ConfigOptions {
  /** The id of the identity that owns the conversation. The default is that of callers without a token. */
  readonly owner?: string
  readonly json?: boolean
}

/**
 * `braidwork compact`: has the agent of a stored conversation summarize its older messages. Prints the summary, as text
 * or as the server's answer in JSON.
 * @throws {HostError} CONVERSATION_UNKNOWN, COMPACTION_NEEDLESS, COMPACTION_FAILED, …
 */
export async function compactCommand(
  conversation: string,
  { owner = LOCAL.id, json, ...options }: CompactOptions,
): Promise<number> {
  return withOwnServer(options, serverLog(), async ({ options: serverOptions }) => {
    const server = await createServer({ ...serverOptions, anonymous: { ...LOCAL, id: owner } })
    try {
      const address = `http://localhost/api/conversations/${encodeURIComponent(conversation)}/compact`
      const response = await server.fetch(new Request(address, { method: 'POST' }))
      const done = await answerOf(response, { owner, conversation })
      process.stdout.write(json ? `${jsonText(done, 2)}\n` : told(done))
      return EXIT.ok
    } finally {
      await server.close()
    }
  })
}

interface Compacted {
  readonly summary: string
  readonly replaced: number
  readonly tokens: { readonly before: number; readonly after: number }
}

/** @throws {HostError} the error that the server answers with */
async function answerOf(
  response: Response,
  { owner, conversation }: { readonly owner: string; readonly conversation: string },
): Promise<Compacted> {
  const body: unknown = await response.json()
  if (response.ok) return body as Compacted
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const { code, message } = error as Partial<Pick<HostError, 'code' | 'message'>>
  if (code === 'CONVERSATION_UNKNOWN') {
    const [name, id] = [visible(owner), visible(conversation.slice(0, 100))]
    const unknown = `"${name}" has no conversation "${id}". Its owner is the caller who began it: name it with --owner.`
    throw new HostError(code, unknown)
  }
  throw new HostError(code ?? 'STORAGE_FAILED', message ?? response.statusText)
}

function told({ summary, replaced, tokens }: Compacted): string {
  const head = `${replaced} messages are replaced: about ${tokens.before} tokens are ${tokens.after} now.`
  return `${head}\n\n${visible(summary)}\n`
}
