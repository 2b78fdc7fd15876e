import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A message of the Python side. */
export interface Message {
  /** The request that it answers. */
  readonly r?: number
  /** The channel of what nobody asked for. */
  readonly c?: string
  readonly [member: string]: unknown
}

/** Takes an answer; true where more come. */
export type Handler = (message: Message) => boolean | undefined

/** What pythonia's Bridge writes to and hears from. The names are pythonia's. */
export interface Com {
  register(id: string | number, handler: Handler): void
  write(message: { readonly r: number }, handler?: Handler): void
  writeRaw(line: string, request: number, handler?: Handler): void
}

interface PythoniaBridge {
  readonly loop: NodeJS.Timeout
  call(reference: number, path: readonly string[], args: readonly unknown[]): Promise<unknown>
}

interface BridgeModule {
  readonly Bridge: new (com: Com) => PythoniaBridge
}

const require = createRequire(import.meta.url)
const BRIDGE = require.resolve('pythonia/src/pythonia/Bridge.js')
const HERE = dirname(fileURLToPath(import.meta.url))

/** The program that the interpreter runs. */
export const INTERFACE = join(dirname(BRIDGE), 'interface.py')

/** The file that pythonia loads on the other side: the same folder whether built, bundled or not. */
const SHIM = resolve(HERE, '..', 'python', 'shim', 'start.py')

/** Puts pythonia's Bridge on a connection and lets it load the shim; the only proxy that is ever made. */
export async function startBridge(com: Com): Promise<void> {
  const { Bridge } = require(BRIDGE) as BridgeModule
  const bridge = new Bridge(com)
  // It collects proxies once a second, of which there are none.
  clearInterval(bridge.loop)
  await bridge.call(0, ['fileImport'], ['braidwork_shim', SHIM, dirname(SHIM)])
}
