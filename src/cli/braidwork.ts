#!/usr/bin/env node
// Start both imports before awaiting either: every command needs both, and loading them in parallel is faster.
const program = import('./program.ts')
if (process.argv[2] === 'chat') import('./chat/index.ts').catch(() => undefined)

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe early. That is not an error.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error The output could not be written: ${error.message}\n`)
  process.exit(1)
})
// What cannot be said beside the output is lost, but the command still does its work, and has its status.
process.stderr.on('error', () => undefined)

// Set the exit status instead of calling process.exit(), so that pending output still reaches a pipe.
process.exitCode = await status()

async function status(): Promise<number> {
  try {
    return await (await program).main()
  } catch (error) {
    // A library that the program itself needs is missing.
    return (await import('./exit.ts')).reportError(error)
  }
}

/** Tells `bin/braidwork.js` that this file is whole: the bundle has its exports at its end. */
export const isWhole = true
