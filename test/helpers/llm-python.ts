import { execFile } from 'node:child_process'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pythonOf } from './python.ts'
import { ROOT } from './source-files.ts'

const run = promisify(execFile)

/** The venv for tests of the plugins of llm, and of what its packages and `requests` do. It is kept, because its packages come from the index. */
const VENV = join(ROOT, '.cache', 'llm')
const PACKAGES = ['llm>=0.36', 'llm-echo>=0.5', 'requests>=2.32', 'httpx>=0.28']
const PROBE = join(ROOT, 'test', 'providers', 'llm', 'fixtures', 'llm_probe.py')

/** The interpreter of a venv with llm, llm-echo, llm_probe, requests and httpx. The suite is skipped where they cannot be installed. */
export async function llmPythonOf(suite: Mocha.Context): Promise<string> {
  const { executable } = await pythonOf(suite)
  const own = join(VENV, 'bin', 'python')
  try {
    const isMade = await run(own, ['-c', 'import llm, llm_echo, requests, httpx']).then(
      () => true,
      () => false,
    )
    if (!isMade) await makeVenv(executable)
    await addProbe(own)
    return own
  } catch (error) {
    process.stderr.write(`"${suite.test?.parent?.title}" is skipped: ${String(error)}\n`)
    return suite.skip()
  }
}

async function makeVenv(executable: string): Promise<void> {
  await rm(VENV, { recursive: true, force: true })
  await run(executable, ['-m', 'venv', VENV])
  const pip = ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:', ...PACKAGES]
  await run(join(VENV, 'bin', 'python'), pip, { timeout: 240_000 })
}

/** Adds the module and the entry point by which llm finds it. */
async function addProbe(python: string): Promise<void> {
  const { stdout } = await run(python, [
    '-c',
    'import sysconfig; print(sysconfig.get_path("purelib"))',
  ])
  const site = stdout.trim()
  const info = join(site, 'llm_probe-0.1.dist-info')
  await mkdir(info, { recursive: true })
  await writeFile(join(info, 'METADATA'), 'Metadata-Version: 2.1\nName: llm-probe\nVersion: 0.1\n')
  await writeFile(join(info, 'entry_points.txt'), '[llm]\nprobe = llm_probe\n')
  const copy = join(site, `llm_probe.${process.pid}`)
  await copyFile(PROBE, copy)
  await rename(copy, join(site, 'llm_probe.py'))
}
