import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What a process printed, and how it ended. */
export interface FileRun {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** Writes a program into a folder and runs it there with Node. */
export async function runFile(folder: string, name: string, code: string): Promise<FileRun> {
  await writeFile(join(folder, name), code)
  const child = spawn(process.execPath, [name], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { status, out, err }
}
