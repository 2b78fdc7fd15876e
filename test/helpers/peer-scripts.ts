import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PEERS = new URL('../peers/', import.meta.url)

/** Skips a test whose peers are not installed, and says so in its title. */
export function needsPeer(context: Mocha.Context, name: string): void {
  if (existsSync(new URL(`node_modules/${name}`, PEERS))) return
  if (context.test) context.test.title += ' (skipped: run npm ci --prefix test/peers)'
  context.skip()
}

/** What a script in `test/peers` makes of a JSON value. */
export async function askScript(name: string, input: unknown): Promise<unknown> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(name, PEERS))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(input))
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
  return JSON.parse(text) as unknown
}
