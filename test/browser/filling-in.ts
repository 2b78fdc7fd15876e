import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { LAUNCH } from './program.ts'

const PEERS = new URL('../peers/', import.meta.url)

/** What is done to one field; without an action it is looked at alone. */
export interface Step {
  /** The title of the page that the field stands on, where the form has pages. */
  readonly category: string
  /** Keys into the form's data. */
  readonly keys: readonly string[]
  readonly type?: string | number
  readonly choose?: string
  readonly check?: boolean
  readonly add?: readonly (string | { readonly [key: string]: string })[]
  /** Whether what is added is chosen, not typed. */
  readonly pick?: true
}

export interface Job {
  readonly name: string
  readonly format: 'jsonforms' | 'rjsf'
  readonly view: object
  readonly steps: readonly Step[]
}

export interface Filled {
  readonly name: string
  readonly thrown?: string
  readonly data?: { readonly [key: string]: unknown }
  readonly errors?: readonly unknown[]
  /** Errors and warnings on the page's console. */
  readonly said: readonly string[]
  /** What is to be read on each page of the form. */
  readonly texts: readonly string[]
  /** What the field of each step was like before; null where it was hidden, or is a list. */
  readonly found: readonly ({ readonly type: string; readonly value: string } | null)[]
}

/** Has forms shown by their renderers in a browser, filled in and submitted. */
export async function fillIn(jobs: readonly Job[]): Promise<ReadonlyMap<string, Filled>> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('settings-page.mjs', PEERS))],
    bundle: true,
    write: false,
    format: 'iife',
    // What the renderers warn of they do in development alone.
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  const child = spawn(process.execPath, [fileURLToPath(new URL('fill-in.mjs', PEERS))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const screenshots = process.env['SCREENSHOTS']
  const script = outputFiles[0]?.text
  const shown = jobs.map((job) => ({ ...job, ...(screenshots ? { screenshots } : {}) }))
  child.stdin.end(JSON.stringify({ launch: LAUNCH, script, jobs: shown }))
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
  const filled = JSON.parse(text) as readonly Filled[]
  return new Map(filled.map((one) => [one.name, one]))
}
