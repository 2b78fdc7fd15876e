#!/usr/bin/env node
// npm links this file before the command is built. It imports nothing else, since any other module may be damaged.
const ADVICE =
  'A module of the command is missing, incomplete or not valid JavaScript. Install its package again, "braidwork".'

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
