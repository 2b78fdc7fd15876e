import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { read } from './processes.ts'

/** How the kernel writes that a socket listens. */
const LISTENS = '0A'

/** How many ports this process listens on. */
export function countPorts(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
}

/**
 * The ports on which this process listens. Only Linux says so. It takes long where the machine has many connections.
 */
export function listenedPorts(): string[] {
  const own = ownSockets()
  return ['tcp', 'tcp6'].flatMap((table) =>
    rowsOf(table).flatMap((row) => {
      const [, local = '', , state] = row
      const port = Number.parseInt(local.split(':')[1] ?? '', 16)
      return state === LISTENS && own.has(row[9] ?? '') ? [`port ${port}`] : []
    }),
  )
}

function ownSockets(): ReadonlySet<string> {
  const names = read(() => readdirSync('/proc/self/fd')) ?? []
  const links = names.map((name) => read(() => readlinkSync(`/proc/self/fd/${name}`)) ?? '')
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
}

function rowsOf(table: string): string[][] {
  const text = read(() => readFileSync(`/proc/self/net/${table}`, 'utf8')) ?? ''
  const lines = text.split('\n').slice(1)
  return lines.map((line) => line.trim().split(/\s+/))
}
