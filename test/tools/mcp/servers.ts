import { join } from 'node:path'

const FIXTURES = join(import.meta.dirname, 'fixtures')

/** A server of the SDK, with a tool for each thing that servers do. */
export function sdkServer(...args: readonly string[]) {
  return { command: process.execPath, args: [join(FIXTURES, 'server.mjs'), ...args] }
}

/** A server that writes its own lines, and breaks a rule. */
export function rawServer(...args: readonly string[]) {
  return { command: process.execPath, args: [join(FIXTURES, 'raw.mjs'), ...args] }
}
