import { memoryStorage, type Storage } from '@braidwork/agent'
import { createHost, type HostOptions } from '@braidwork/core'
import type { Message } from '@braidwork/plugin'
import scripted from '@braidwork/provider-scripted'
import { createServer, type Listening, LOCAL, listen, type ServerOptions } from '@braidwork/server'
import clock from '@braidwork/tool-clock'

interface ServedOptions {
  /** The rules of the scripted provider. */
  readonly script: readonly object[]
  /** Milliseconds between two chunks. */
  readonly delay?: number
  readonly plugins?: HostOptions['plugins']
  /** The config, beside the provider and its script. */
  readonly config?: { readonly settings?: object; readonly [key: string]: unknown }
  readonly server?: Partial<ServerOptions>
  /** Answers in place of the server where it returns a response. */
  readonly front?: (request: Request) => Response | Promise<Response | undefined> | undefined
}

/**
 * A server with the page, as their packages are published, in this process, with its conversations in memory. For tests
 * that need plugins of their own, stored conversations or refusals; others start a `PackedServer`.
 */
export class ServedPage {
  readonly #listening: Listening
  readonly #storage: Storage
  readonly #close: () => Promise<void>

  private constructor(listening: Listening, storage: Storage, close: () => Promise<void>) {
    this.#listening = listening
    this.#storage = storage
    this.#close = close
  }

  static async start(options: ServedOptions): Promise<ServedPage> {
    const { script, delay = 0, plugins = [], front } = options
    const settings = { ...options.config?.settings, scripted: { script, delay_ms: delay } }
    const config = { ...options.config, provider: 'scripted', settings }
    const host = await createHost({ plugins: [scripted, clock, ...plugins], config })
    const storage = memoryStorage()
    // It finds its files by its own address, which a module that tsx has converted does not have.
    const { pageFiles } = await import('@braidwork/page')
    const page = await pageFiles()
    const known = options.server?.authenticate ? {} : { anonymous: LOCAL }
    const server = await createServer({ host, storage, page, ...known, ...options.server })
    const fetch = async (request: Request) => (await front?.(request)) ?? server.fetch(request)
    const listening = await listen({ ...server, fetch }, { port: 0 })
    return new ServedPage(listening, storage, async () => {
      await listening.close()
      await host.close()
    })
  }

  get url(): string {
    return `${this.#listening.url}/`
  }

  /** Stores a conversation. @returns the address that opens it */
  async store(id: string, messages: readonly Message[]): Promise<string> {
    const { conversations } = this.#storage
    const about = { owner: LOCAL.id, agent: 'scripted-1', sender: LOCAL.id, title: id }
    await conversations.create({ id, ...about }, 1)
    const entries = messages.map((message, at) => ({
      id: `${id}-${at}`,
      kind: 'message' as const,
      message: { id: `${id}-${at}`, ...message },
    }))
    await conversations.append(LOCAL.id, id, { entries }, 2)
    return `${this.url}?chat=${id}`
  }

  close(): Promise<void> {
    return this.#close()
  }
}

/** Questions and answers in turn. */
export function dialog(length: number, answer: string): readonly Message[] {
  return Array.from({ length }, (_, at): Message => {
    const text = at % 2 === 0 ? `question ${at}` : answer
    return { role: at % 2 === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text }] }
  })
}
