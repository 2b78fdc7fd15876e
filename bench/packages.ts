import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inTurns, type Row, timeOf } from './measure.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMMAND = join(ROOT, 'src/cli/dist/command/braidwork.js')
const COUNT = 200

/** `braidwork plugins` where many packages with plugins are installed, beside Node alone. */
export async function packages(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  await installPackages(folder)
  const sides = [
    { what: 'node -e 0', run: () => run(process.execPath, ['-e', '0'], { cwd: folder }) },
    {
      what: `braidwork plugins, ${COUNT} packages`,
      run: () => run(process.execPath, [COMMAND, 'plugins'], { cwd: folder }),
    },
  ]
  const times = await inTurns(sides, timeOf)
  await rm(folder, { recursive: true })
  return [...times].map(([what, value]) => ({ group: 'list plugins', what, value, unit: 'ms' }))
}

async function installPackages(folder: string): Promise<void> {
  const names = Array.from({ length: COUNT }, (_, at) => `plugin-${at}`)
  for (const name of names) {
    const path = join(folder, 'node_modules', name)
    await mkdir(path, { recursive: true })
    const plugin = { kind: 'extension', name, entry: './index.js', title: name, description: name }
    const json = { name, version: '1.0.0', braidwork: { apiVersion: 1, plugins: [plugin] } }
    await writeFile(join(path, 'package.json'), JSON.stringify(json))
    await writeFile(join(path, 'index.js'), "throw new Error('it ran')")
  }
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
}
