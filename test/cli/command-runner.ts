/** A program that runs commands in one process, one after the other, as it is told by messages, and answers each. */
import { pathToFileURL } from 'node:url'

/** A command line, and where it is run. */
export interface Asked {
  readonly id: number
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export interface Answered {
  readonly id: number
  readonly status: number
  readonly out: string
  readonly err: string
}

type Main = (words: readonly string[]) => Promise<number>

const [built = ''] = process.argv.slice(2)
const { main } = (await import(pathToFileURL(built).href)) as { readonly main: Main }
let said = { out: '', err: '' }

process.stdout.write = (text: string | Uint8Array) => {
  said.out += String(text)
  return true
}
process.stderr.write = (text: string | Uint8Array) => {
  said.err += String(text)
  return true
}

async function run({ id, args, cwd, env }: Asked): Promise<Answered> {
  said = { out: '', err: '' }
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const status = await main(args)
  // What is said at the end of a turn belongs to the command too.
  await new Promise(setImmediate)
  return { id, status, ...said }
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', (asked: Asked) => {
  last = last.then(async () => process.send?.(await run(asked)))
})
process.send?.('ready')
