import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Finds a port on loopback that is free now, for a program that does not choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
