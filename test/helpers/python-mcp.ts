import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pythonOf } from './python.ts'
import { ROOT } from './source-files.ts'

const run = promisify(execFile)
/** The SDK of MCP's authors for Python. */
const PACKAGE = 'mcp==2.3.0'
const FOLDER = join(ROOT, '.cache', PACKAGE.replace('==', '-'))
/** Milliseconds for an installation. */
const LIMIT = 5 * 60_000

/** A Python that has the package `mcp`, installed once. A suite is skipped where it cannot be installed, and says so. */
export async function pythonWithMcp(suite: Mocha.Context): Promise<string> {
  const executable = join(FOLDER, 'bin', 'python')
  if (existsSync(executable)) return executable
  const { executable: base } = await pythonOf(suite)
  const made = `${FOLDER}.${process.pid}`
  try {
    await run(base, ['-m', 'venv', made], { timeout: LIMIT })
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]
    await run(join(made, 'bin', 'python'), pip, { timeout: LIMIT })
    await rename(made, FOLDER)
    return executable
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    process.stderr.write(`"${suite.test?.parent?.title}" is skipped: ${String(error)}\n`)
    return suite.skip()
  }
}
