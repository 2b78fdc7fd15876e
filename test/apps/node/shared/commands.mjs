// What the programs of command line applications share.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Count } from './cases.mjs'

/** Starts a command, in the folder of the program. */
export function start(command, args, { env = {}, input } = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  if (input !== undefined) child.stdin.end(input)
  const pieces = []
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    pieces.push(piece)
    text += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  const ended = once(child, 'close').then(([status]) => ({ status, text, pieces }))
  return { child, ended }
}

/** Runs a command to its end, at most 50 seconds; `text` is all that it printed. */
export async function ran(command, args, options) {
  const { child, ended } = start(command, args, options)
  const timer = setTimeout(() => child.kill('SIGKILL'), 50_000)
  try {
    return await ended
  } finally {
    clearTimeout(timer)
  }
}

/** The values of the lines that are JSON. */
export function jsonLines(text) {
  return text.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : []
    } catch {
      return []
    }
  })
}

/** Presses Ctrl-C while the command is answering; the server's run must end. */
export async function stops(commandFor) {
  const count = new Count()
  const [command, args, options] = commandFor(count.question)
  const { child, ended } = start(command, args, options)
  try {
    await count.hasBegun()
    child.kill('SIGINT')
    await count.wasStopped()
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
