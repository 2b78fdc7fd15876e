/**
 * Runs published applications against a server, and writes what works into results.json and docs/clients.md:
 * `npm run apps [-- NAME…]`. The packages come from the registries of Python and Node, into the folder .cache.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { refuse, scriptOptions } from '../../scripts/options.ts'
import { APPS, type App } from './apps.ts'
import { type Installed, install } from './install.ts'
import { CLIENTS_PATH, clientsPage } from './page.ts'
import { type AppResult, type Line, readResults, versionsOf, writeResults } from './results.ts'
import { type AppServer, startServer } from './server.ts'

/** Milliseconds for all cases of an application. */
const LIMIT = 15 * 60_000

const { positionals } = scriptOptions({ allowPositionals: true, options: {} })
const names = APPS.map(({ name }) => name)
const unknown = positionals.find((name) => !names.includes(name))
if (unknown !== undefined)
  refuse(`There is no application "${unknown}". Known are ${names.join(', ')}.`)

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopped.abort(new Error(`The run was stopped by ${signal}.`)))
}
const server = await startServer()
try {
  const wanted = APPS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const before = readResults()
  const results: { [name: string]: AppResult } = {}
  for (const app of wanted) {
    results[app.name] = await runApp(app, server)
    stopped.signal.throwIfAborted()
    writeResults(results)
    await writeFile(CLIENTS_PATH, clientsPage(readResults()))
  }
  const lines = Object.values(results).flatMap((result) => result.lines)
  const count = (outcome: Line['outcome']) =>
    lines.filter((line) => line.outcome === outcome).length
  console.log(`${count('works')} work, ${count('fails')} fail, ${count('cannot')} cannot`)
  const worse = Object.entries(results).flatMap(([name, result]) => worseIn(result, before[name]))
  for (const text of worse) console.log(`worse than before: ${text}`)
  process.exitCode = worse.length > 0 ? 1 : 0
} finally {
  await server.close()
}

/** What worked before and fails now; what has always failed is told on the page. */
function worseIn({ lines, notRun }: AppResult, before: AppResult | undefined): readonly string[] {
  if (notRun !== undefined) return [notRun]
  const had = (line: Line) =>
    before?.lines.find((one) => one.api === line.api && one.case === line.case)?.outcome
  return lines
    .filter((line) => line.outcome === 'fails' && had(line) !== 'fails')
    .map((line) => `${line.api}, ${line.case}: ${line.why}`)
}

async function runApp(app: App, { env }: AppServer): Promise<AppResult> {
  const versions = versionsOf(app)
  console.log(`\n${app.name} ${JSON.stringify(versions)}`)
  try {
    const lines = await linesOf(await install(app), env)
    return { versions, lines }
  } catch (error) {
    const notRun = error instanceof Error ? error.message : String(error)
    console.log(`not run: ${notRun}`)
    return { versions, lines: [], notRun: notRun.split('\n')[0] ?? '' }
  }
}

/** Runs a program in a home of its own, and shows what it prints besides its lines. */
async function linesOf({ command, args, env }: Installed, server: NodeJS.ProcessEnv) {
  const home = await mkdtemp(join(tmpdir(), 'braidwork-app-'))
  const { PATH, LANG } = process.env
  const child = spawn(command, args, {
    cwd: home,
    env: { PATH, LANG, HOME: home, NO_COLOR: '1', ...server, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that what it started ends with it.
    detached: true,
  })
  child.on('error', (error) => console.log(`  ${error.message}`))
  const end = () => endGroup(child)
  const timer = setTimeout(end, LIMIT)
  stopped.signal.addEventListener('abort', end, { once: true })
  const lines: Line[] = []
  try {
    for await (const text of createInterface(child.stdout)) {
      const line = lineIn(text)
      if (line) {
        lines.push(line)
        console.log([line.api, line.case, line.outcome, line.why].filter(Boolean).join(' · '))
      } else if (text !== '') console.log(`  ${text}`)
    }
  } finally {
    clearTimeout(timer)
    stopped.signal.removeEventListener('abort', end)
    end()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  if (lines.length === 0) throw new Error('its program ended before the first case')
  return lines
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Nothing of it is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function lineIn(text: string): Line | undefined {
  return text.startsWith('{"api":') ? (JSON.parse(text) as Line) : undefined
}
