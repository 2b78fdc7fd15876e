import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasUrl, versionFault, WITHOUT_URL } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { toMissingPackage } from '@braidwork/plugin/internal'

/** A message from the Python side. */
export interface Message {
  /** The number of the request that it answers. */
  readonly r?: number
  /** The channel, for a message without a request. */
  readonly c?: string
  readonly [member: string]: unknown
}

/** Handles an answer; returns true if more answers follow. */
export type Handler = (message: Message) => boolean | undefined

/** The connection that pythonia's Bridge expects. The names are pythonia's. */
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

/** Of this package: the code may have been bundled into a command that has no pythonia of its own. */
const PACKAGE = resolved(() => {
  if (!hasUrl(import.meta.url)) throw new HostError('PACKAGE_MISSING', WITHOUT_URL)
  return createRequire(import.meta.url).resolve('@braidwork/python/package.json')
})
const require = createRequire(PACKAGE)
const BRIDGE = resolved(() => require.resolve('pythonia/src/pythonia/Bridge.js'))
assertOwnVersion()

/** The Python program that the interpreter runs. */
export const INTERFACE = join(dirname(BRIDGE), 'interface.py')

/** The file that pythonia loads on the Python side. `scripts/build/copies.ts` builds it. */
const SHIM = join(dirname(PACKAGE), 'dist', 'shim', 'start.py')

/** Attaches pythonia's Bridge to a connection and loads the shim. This creates the only proxy object. */
export async function startBridge(com: Com): Promise<void> {
  const { Bridge } = require(BRIDGE) as BridgeModule
  const bridge = new Bridge(com)
  // Stop the Bridge's timer, which collects unused proxies once a second: there are none.
  clearInterval(bridge.loop)
  await bridge.call(0, ['fileImport'], ['braidwork_shim', SHIM, dirname(SHIM)])
}

/** @throws {HostError} PACKAGE_MISSING */
function resolved(resolve: () => string): string {
  try {
    return resolve()
  } catch (error) {
    throw toMissingPackage(error, 'Plugins in Python need')
  }
}

/** The shim is that of the package, wherever this code is. @throws {HostError} PACKAGE_MISMATCH */
function assertOwnVersion(): void {
  const { version } = require(PACKAGE) as { readonly version: string }
  const fault = versionFault('@braidwork/python', version)
  if (fault !== undefined) throw new HostError('PACKAGE_MISMATCH', fault)
}
