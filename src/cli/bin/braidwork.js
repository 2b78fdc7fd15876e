#!/usr/bin/env node
// npm links this file before the command is built. It imports only modules of Node, since any other may be damaged.
import module from 'node:module'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

const ADVICE =
  'A module of the command is missing, incomplete or not valid JavaScript. Install its package again, "braidwork".'

keepCompiledCode()
try {
  const { isWhole } = await import('../dist/command/braidwork.js')
  // A file that was cut short can be valid JavaScript, but lacks its last line.
  if (!isWhole) fail('dist/command/braidwork.js is incomplete.')
} catch (error) {
  const isOfLoader = error instanceof SyntaxError || error?.code === 'ERR_MODULE_NOT_FOUND'
  if (!isOfLoader) throw error
  fail(`${String(error.message).replace(/[.\s]*$/, '')}.`)
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`error ${reason} ${ADVICE}\n`)
  process.exitCode = 1
}

/**
 * Lets Node keep the compiled code of the command, so that its next start takes about 30 ms less CPU. Node writes it
 * when the process ends, and ignores an entry that is damaged or of another file. Older versions than 22.1 keep none.
 * The folder is the user's own, unlike Node's default, which others may write to.
 */
function keepCompiledCode() {
  const { XDG_CACHE_HOME = '', HOME } = process.env
  try {
    const home = () => HOME || homedir() || userInfo().homedir
    const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(home(), '.cache')
    /** @type {{ readonly enableCompileCache?: (folder: string) => unknown }} */
    const { enableCompileCache } = module
    enableCompileCache?.(join(caches, 'braidwork', 'compiled'))
  } catch {
    // Nobody has a home in some containers. The command works without.
  }
}
