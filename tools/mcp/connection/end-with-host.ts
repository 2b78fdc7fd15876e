import { spawn } from 'node:child_process'

/** Waits for a line. If its input ends without one, because the host has ended, it kills a process group. */
const WATCH = 'trap "" HUP INT TERM; read -r over || kill -KILL "-$1"'

/**
 * Makes sure that a process group is killed when the host ends, even by SIGKILL: a shell waits for that beside it. Call
 * the returned function when the group has ended. Systems without process groups have only the end of its input.
 */
export function endWithHost(group: number): () => void {
  if (process.platform === 'win32') return () => undefined
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(group)], {
    cwd: '/',
    // In its own session, so that signals to the host's process group do not reach it.
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => undefined)
  watcher.unref()
  const { stdin } = watcher
  stdin.on('error', () => undefined)
  ;(stdin as typeof stdin & { unref(): void }).unref()
  return () => stdin.end('over\n')
}
