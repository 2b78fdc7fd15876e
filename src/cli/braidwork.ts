#!/usr/bin/env node
// Both are read at once: an answer needs them, and waiting for one after the other takes longer.
const program = import('./program.ts')
if (process.argv[2] === 'chat') import('./chat.ts').catch(() => undefined)

// A reader that has enough, as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

// Set, not exited with: output that is still on its way to a pipe is to get there.
process.exitCode = await status()

async function status(): Promise<number> {
  try {
    return await (await program).main()
  } catch (error) {
    // A library that the program itself needs is not there.
    return (await import('./exit.ts')).reportError(error)
  }
}

export {}
