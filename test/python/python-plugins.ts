import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPython, type Python } from '../../src/python/venvs/find-python.ts'

/** The Python of this machine, if there is one; tests that need it say why they are skipped. */
export async function pythonHere(): Promise<Python | undefined> {
  try {
    return await findPython()
  } catch (error) {
    process.stderr.write(`Tests that need Python are skipped: ${String(error)}\n`)
    return undefined
  }
}

const WHEEL = `
import sys, zipfile
path, name, needs = sys.argv[1:]
info = name + "-1.0.dist-info"
meta = "Metadata-Version: 2.1\\nName: " + name + "\\nVersion: 1.0\\n"
if needs:
    meta += "Requires-Dist: " + needs + "\\n"
with zipfile.ZipFile(path, "w") as wheel:
    wheel.writestr(name + ".py", "WORD = " + repr(name) + "\\n")
    wheel.writestr(info + "/METADATA", meta)
    wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "/RECORD", "")
`

/** Makes a package that can be installed without a network. @returns its requirement */
export async function makeWheel(
  python: Python,
  folder: string,
  name: string,
  needs = '',
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${name}-1.0-py3-none-any.whl`)
  execFileSync(python.executable, ['-c', WHEEL, path, name, needs])
  return `${name} @ file://${path}`
}

/** A folder with a Python plugin that can be added. @param name the plugin's */
export async function writePythonPlugin(
  folder: string,
  project: string,
  name = 'words',
): Promise<string> {
  const manifest = {
    name: `pkg-${name}`,
    version: '1.0.0',
    braidwork: {
      apiVersion: 1,
      plugins: [{ kind: 'feature', name, entry: './plugin.py' }],
    },
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'pyproject.toml'), project)
  await writeFile(join(folder, 'plugin.py'), `kind = "feature"\nname = "${name}"\n`)
  return folder
}

export function projectOf(packages: readonly string[], own = ''): string {
  return `[project]\nname = "words"\ndependencies = ${JSON.stringify(packages)}\n\n[tool.braidwork]\n${own}\n`
}
