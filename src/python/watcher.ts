import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Reads process group ids from its input, which closes when the host ends, in whatever way. It then kills the remaining
 * groups. It uses only built-in commands of the shell, so it starts no other program.
 */
const FOR_SHELL = `trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group"; done`

/** The same program for Node, for systems without a shell. It uses thirty times the resources. */
const FOR_NODE = `for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
const groups = new Set()
const end = (group) => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group has no processes left.
  }
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [sign, group] = line.split(' ')
  if (sign === '+') groups.add(group)
  else groups.delete(group)
}).on('close', () => {
  for (const group of groups) end(group)
  process.exit()
})`

/** The programs that can be the watcher. The first available one is used. */
export const WATCHERS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['/bin/sh', '-c', FOR_SHELL],
  [process.execPath, '-e', FOR_NODE],
]

/** Milliseconds between starts: a watcher that ended is not restarted sooner. */
const AGAIN_MS = 1000

const groups = new Set<number>()
let watcher: ChildProcess | undefined
let isWithoutShell = false

/**
 * Makes sure that a process group is killed when the host ends, even by SIGKILL. A separate watcher process does that;
 * it does not depend on an interpreter's lock. Returns a function that ends the watch for this group.
 */
export function endWithHost(group: number): () => void {
  // Windows has no process groups, and does not support Python plugins.
  if (process.platform === 'win32') return () => undefined
  groups.add(group)
  if (watcher) tell(watcher, '+', group)
  else begin()
  return () => {
    if (groups.delete(group) && watcher) tell(watcher, '-', group)
  }
}

function begin(): void {
  const [command, ...args] = WATCHERS[isWithoutShell ? 1 : 0] ?? [process.execPath]
  const begunAt = performance.now()
  const child = spawn(command, args, {
    cwd: '/',
    // In its own session, so that signals to the host's process group do not reach it.
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher = child
  child.stdin.on('error', () => undefined)
  child.once('error', () => {
    const isOther = !isWithoutShell
    isWithoutShell = true
    watcher = undefined
    if (isOther) begin()
  })
  child.once('exit', () => {
    watcher = undefined
    setTimeout(beginAgain, begunAt + AGAIN_MS - performance.now()).unref()
  })
  child.unref()
  // In Bun, the pipe of a child process keeps no process alive, and has no such method.
  ;(child.stdin as typeof child.stdin & { unref?(): void }).unref?.()
  for (const group of groups) tell(child, '+', group)
}

function beginAgain(): void {
  if (groups.size > 0 && !watcher) begin()
}

function tell({ stdin }: ChildProcess, sign: '+' | '-', group: number): void {
  stdin?.write(`${sign} ${group}\n`)
}
