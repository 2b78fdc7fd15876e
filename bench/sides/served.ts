import { type ChildProcess, fork, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configFor } from './own.ts'

/** A server in a process of its own. */
export interface ServedSide {
  readonly what: string
  readonly pid: number
  /** Sends so many requests, one after the other, and reads their answers to the end. */
  readonly ask: (isStreamed: boolean, count: number) => Promise<void>
  readonly close: () => void
}

const COMMAND = fileURLToPath(new URL('../../src/cli/dist/command/braidwork.js', import.meta.url))
const MODEL = 'gpt-4.1'

/** Runs of the host with the plugins of the command: what the server does, without clients and a log of runs. */
export const runSide = (url: string) => ownProcess(url, 'run', 'braidwork, run()')

/** The host with nothing but its provider. */
export const hostSide = (url: string) => ownProcess(url, 'host', 'braidwork, the host alone')

/** A process that asks itself, without HTTP towards a client. */
async function ownProcess(url: string, kind: string, what: string): Promise<ServedSide> {
  const child = fork(fileURLToPath(new URL('./host-process.ts', import.meta.url)), [url, kind])
  await once(child, 'message')
  let asked = 0
  return {
    what,
    pid: pidOf(child),
    ask: async (isStreamed, count) => {
      const id = ++asked
      child.send({ id, isStreamed, count })
      for await (const [answered] of on(child, 'message')) if (answered === id) break
    },
    close: () => child.kill(),
  }
}

/** `braidwork serve`. */
export async function braidworkSide(url: string): Promise<ServedSide> {
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-bench-'))
  const file = join(folder, 'braidwork.json')
  const server = {
    models: { [MODEL]: {} },
    store: 'memory',
    limits: { requests_per_minute: 10_000_000 },
  }
  const plugins = ['@braidwork/provider-openai']
  writeFileSync(file, JSON.stringify({ ...configFor(url, 'chat'), plugins, server }))
  const child = spawn(process.execPath, [COMMAND, 'serve', '--config', file, '--port', '0'], {
    // The log goes to a file of the system that takes everything, as to a collector.
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  })
  const address = await firstLine(child)
  rmSync(folder, { recursive: true })
  return {
    what: 'braidwork serve',
    pid: pidOf(child),
    ask: askerOf(address),
    close: () => child.kill(),
  }
}

/** AI SDK in a route of Hono, on the same listener for Node. */
export async function aiSdkSide(url: string): Promise<ServedSide> {
  const path = fileURLToPath(new URL('./ai-sdk-route.mjs', import.meta.url))
  const child = spawn(process.execPath, [path, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await firstLine(child)
  return {
    what: 'AI SDK in a Hono route',
    pid: pidOf(child),
    ask: askerOf(address),
    close: () => child.kill(),
  }
}

/** Asks a server for chat completions. */
export function askerOf(address: string, key = 'any'): ServedSide['ask'] {
  return async (isStreamed, count) => {
    const body = JSON.stringify({
      model: MODEL,
      messages: [{ role: 'user', content: 'Hello' }],
      ...(isStreamed ? { stream: true } : {}),
    })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    for (let at = 0; at < count; at++) {
      const response = await fetch(`${address}/v1/chat/completions`, {
        method: 'POST',
        headers,
        body,
      })
      const text = await response.text()
      if (!response.ok || text.length < 10) throw new Error(`${response.status}: ${text}`)
    }
  }
}

export function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('The process could not be started.')
  return pid
}

async function firstLine(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process ended before it listened.')
  })
  const [data] = (await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    ended,
  ])) as [Buffer]
  return String(data).trim()
}
