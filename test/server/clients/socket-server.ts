import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost, type HostOptions } from '../../../src/core/index.ts'
import {
  createServer,
  type Listening,
  LOCAL,
  listen,
  type ServerOptions,
} from '../../../src/server/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import clock from '../../../tools/clock/index.ts'
import { SERVED } from './scripts.ts'

/** A server of this source on a socket of its own, with the models of the tests of clients. */
export interface SocketServer {
  readonly url: string
  close(): Promise<void>
}

export async function socketServer(
  options: Omit<Partial<ServerOptions>, 'host'> = {},
  own: Partial<HostOptions> = {},
): Promise<SocketServer> {
  const { server: given, plugins: _, ...config } = SERVED
  const host = await createHost({ plugins: [scripted, calculator, clock], config, ...own })
  const { models } = given
  const common = { host, storage: memoryStorage(), models, anonymous: LOCAL }
  const server = await createServer({ ...common, ...options })
  const listening: Listening = await listen(server, { port: 0, grace: 0 })
  return {
    url: listening.url,
    close: async () => {
      await listening.close()
      await server.close()
      await host.close()
    },
  }
}
