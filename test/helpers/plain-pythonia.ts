import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { PythonFolder } from './python-hosts.ts'
import { ROOT } from './source-files.ts'

/** How long what was left behind may take to end by itself. */
const LONGEST_END_MS = 3000

/**
 * How plain pythonia does: a program in a process of its own, on a module of Python, with calls given up after
 * 1.5 s. The program knows `plugin`, `python`, `pythonia` and the module's `path`. Gives what it printed, its
 * errors last.
 */
export async function plain(
  folder: PythonFolder,
  module: string,
  program: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<string> {
  const path = JSON.stringify(await folder.write('plain.py', module))
  const code = `
    process.on('uncaughtException', (error) => { console.log('UNCAUGHT', error.message); process.exit(1) })
    const { default: pythonia, python } = await import('pythonia')
    const path = ${path}
    try { const plugin = await python(path); ${program} } catch (error) { console.log('FAILED', String(error.stack)) }
    console.log('END')
    process.exit(0)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: ROOT,
    env: { ...process.env, REQ_TIMEOUT: '1500', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    // What it leaves behind ends with its group.
    detached: true,
  })
  let said = ''
  let errors = ''
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString()
  })
  const closed = once(child, 'close')
  await once(child, 'exit', { signal: AbortSignal.timeout(20_000) })
  const timer = setTimeout(() => endGroup(child.pid), LONGEST_END_MS)
  await closed
  clearTimeout(timer)
  endGroup(child.pid)
  return `${said}\n${errors}`
}

function endGroup(pid = 0): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It left nothing behind.
  }
}
