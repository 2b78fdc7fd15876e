import { spawn } from 'node:child_process'

const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'TMPDIR']

/**
 * Runs a program without a shell, in a process group of its own, which is killed as a whole when the time is over, when
 * the call is cancelled, or when the program has printed too much.
 */
export async function runProgram(program, given, { folder, seconds, mostBytes, signal }) {
  signal.throwIfAborted()
  const child = spawn(program, given, {
    cwd: folder,
    // Of the variables of this process, which may hold keys, a program gets only what it needs to run.
    env: Object.fromEntries(KEPT_VARIABLES.map((name) => [name, process.env[name]])),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const state = { hasEnded: false, killed: undefined }
  const kill = (reason) => {
    state.killed ??= reason
    if (!state.hasEnded) killGroup(child.pid)
    // A process that has left the group may still hold the pipes.
    child.stdout.destroy()
    child.stderr.destroy()
  }
  // Ends what the program has left behind.
  child.once('exit', () => {
    state.hasEnded = true
    killGroup(child.pid)
  })
  const onAbort = () => kill('cancelled')
  const timer = setTimeout(() => kill(`stopped after ${seconds} seconds`), seconds * 1_000)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const output = collected([child.stdout, child.stderr], mostBytes, () => {
      kill(`stopped after ${mostBytes} bytes of output`)
    })
    const code = await endOf(child)
    signal.throwIfAborted()
    return { exit_code: code, output: output(), ...(state.killed && { killed: state.killed }) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Resolves to the exit code or the signal when the program has ended and its output is read. */
function endOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`The program cannot run (${error.code}).`)))
    child.once('close', (code, killSignal) => resolve(code ?? killSignal))
  })
}

function collected(streams, mostBytes, onFull) {
  const chunks = []
  let bytes = 0
  for (const stream of streams) {
    stream.on('data', (chunk) => {
      if (bytes < mostBytes) chunks.push(chunk.subarray(0, mostBytes - bytes))
      bytes += chunk.length
      if (bytes > mostBytes) onFull()
    })
  }
  return () => Buffer.concat(chunks).toString('utf8')
}

function killGroup(pid) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The group has ended already, or belongs to another user since a program changed its own.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}
