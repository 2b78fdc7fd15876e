#!/usr/bin/env node
// Chat's modules begin to load together with the program, which is faster than after it.
const program = import('./program.ts')
const chat = process.argv[2] === 'chat' ? import('./chat/index.ts') : undefined

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
    const [{ main }] = await Promise.all([program, chat])
    return await main()
  } catch (error) {
    // A library that the program itself needs is missing.
    return (await import('./exit.ts')).reportError(error)
  }
}

/** Tells `bin/braidwork.js` that this file is whole: the bundle has its exports at its end. */
export const isWhole = true
