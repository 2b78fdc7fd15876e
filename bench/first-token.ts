import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median, type Row } from './measure.ts'

const COMMAND = fileURLToPath(new URL('../dist/command/braidwork.js', import.meta.url))
const RUNS = 20

/** Milliseconds until a program's first output, or until it ends without one. */
async function untilOutput(args: readonly string[]): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let first: number | undefined
  child.stdout.once('data', () => {
    first = performance.now() - start
  })
  await once(child, 'close')
  return first ?? performance.now() - start
}

/** A cold start to the first token, beside a bare start of Node; the two take turns. */
export async function firstToken(): Promise<readonly Row[]> {
  const bare: number[] = []
  const chat: number[] = []
  for (let run = 0; run < RUNS; run++) {
    bare.push(await untilOutput(['-e', '0']))
    chat.push(await untilOutput([COMMAND, 'chat', 'hi']))
  }
  return [
    ['node -e 0', median(bare)],
    ['braidwork chat, to the first token', median(chat)],
    ['what is above a bare start', median(chat) - median(bare)],
  ]
}
