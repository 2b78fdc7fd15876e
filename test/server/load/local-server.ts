import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import {
  type BraidworkServer,
  createServer,
  type Listening,
  LOCAL,
  listen,
} from '../../../src/server/index.ts'
import { LOAD_MODEL } from './protocols.ts'

/** A server in this process. */
export interface LocalServer {
  readonly url: string
  readonly host: Host
  readonly server: BraidworkServer
  close(): Promise<void>
}

export async function localServer(
  plugins: readonly unknown[],
  config: ConfigLayer,
): Promise<LocalServer> {
  const host = await createHost({ plugins, config })
  const storage = memoryStorage()
  const server = await createServer({
    host,
    storage,
    models: { [LOAD_MODEL]: {} },
    anonymous: LOCAL,
    limits: { requests_per_minute: 1_000_000, runs: 10_000 },
    cancelAfter: 0,
  })
  const listening: Listening = await listen(server, { port: 0 })
  return {
    url: listening.url,
    host,
    server,
    close: async () => {
      await listening.close()
      await host.close()
    },
  }
}

/** Waits, a turn of the event loop after the other, until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 10_000
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error('It did not come to be so within 10 s.')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
