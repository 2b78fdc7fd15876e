import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Hears of groups of processes on its input, whose end is the host's, however the host ends; then it kills
 * those that are left. It has commands of the shell alone: nothing else is started or has to be there.
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

/** The same where there is no shell, at thirty times the cost. */
const FOR_NODE = `for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
const groups = new Set()
const end = (group) => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nobody is left in it.
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

/** Programs that can watch, the first that is there is taken. */
export const WATCHERS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['/bin/sh', '-c', FOR_SHELL],
  [process.execPath, '-e', FOR_NODE],
]

/** One that ended is started again so long after it had begun at the soonest. */
const AGAIN_MS = 1000

const groups = new Set<number>()
let watcher: ChildProcess | undefined
let isWithoutShell = false

/**
 * Has a group of processes killed when the host ends, by whichever signal: a process of its own sees to it,
 * which waits for no lock of an interpreter. Gives what ends that.
 */
export function endWithHost(group: number): () => void {
  // There are no groups, and no Python plugins either.
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
    // In a session of its own, so that nothing that is sent to the host's reaches it.
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
  ;(child.stdin as typeof child.stdin & { unref(): void }).unref()
  for (const group of groups) tell(child, '+', group)
}

function beginAgain(): void {
  if (groups.size > 0 && !watcher) begin()
}

function tell({ stdin }: ChildProcess, sign: '+' | '-', group: number): void {
  stdin?.write(`${sign} ${group}\n`)
}
