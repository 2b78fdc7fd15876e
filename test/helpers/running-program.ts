import { readFileSync } from 'node:fs'

/** Resolves when a process has loaded a program, by its command line. Only Linux tells. */
export async function loaded(pid: number, command: string): Promise<void> {
  while (textOf(pid, 'cmdline') !== command || textOf(pid, 'environ') === '') {
    await new Promise(setImmediate)
  }
}

/** Texts that the kernel has of a process, with spaces between them. */
function textOf(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim()
}
