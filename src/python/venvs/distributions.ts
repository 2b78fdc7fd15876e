import { fileURLToPath } from 'node:url'
import { type DistributedPlugin, type Distribution, readManifest } from '@braidwork/core/internal'
import { HostError, KINDS } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { childVariables, type Python } from './find-python.ts'
import { runProgram } from './run-program.ts'

/** https://packaging.python.org/en/latest/specifications/entry-points/ */
const GROUP = 'braidwork.plugins'
const LONGEST_MS = 10_000
/** Matches the name of a distribution, as PEP 508 defines it. */
const NAME = /^[A-Z0-9]([A-Z0-9._-]*[A-Z0-9])?$/i

/** Reads only metadata. It imports neither a plugin nor its package. */
const SCRIPT = `
import ast, json, os, sys
from importlib import metadata
try:
    found = metadata.distribution(sys.argv[1])
except metadata.PackageNotFoundError:
    print("null")
    raise SystemExit
def mapping():
    # setuptools installs packages in place by a module with a dict of their folders.
    for file in found.files or ():
        if file.name.startswith("__editable__") and file.name.endswith("_finder.py"):
            for node in ast.parse(file.read_text()).body:
                target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
                if getattr(target, "id", None) == "MAPPING":
                    return ast.literal_eval(node.value)
    return {}
direct = found.read_text("direct_url.json")
is_editable = json.loads(direct or "{}").get("dir_info", {}).get("editable") is True
folders = mapping() if is_editable else {}
def file_of(value):
    path = value.split(":")[0].strip().split("[")[0].strip().replace(".", "/")
    first, _, rest = path.partition("/")
    bases = [str(found.locate_file("")), *(sys.path if is_editable else ())]
    places = [os.path.join(base, path) for base in bases]
    if first in folders:
        place = os.path.join(folders[first], rest) if rest else folders[first]
        places.append(place[:-3] if place.endswith(".py") else place)
    files = [place + end for place in places for end in (".py", "/__init__.py")]
    return next((file for file in files if os.path.isfile(file)), None)
points = [p for p in found.entry_points if p.group == sys.argv[2]]
print(json.dumps({
    "points": [{"name": p.name, "value": p.value, "file": file_of(p.value)} for p in points],
    "summary": found.metadata["Summary"],
    "direct": direct,
}))
`

interface Said {
  readonly points: readonly {
    readonly name: string
    readonly value: string
    readonly file: string | null
  }[]
  readonly summary: string | null
  readonly direct: string | null
}

/**
 * Finds the plugins of an installed Python distribution; `undefined` if it is not installed.
 * @throws {HostError} MANIFEST_INVALID if an entry point is malformed or names no module
 */
export async function findDistribution(
  name: string,
  { executable }: Python,
): Promise<Distribution | undefined> {
  if (!NAME.test(name)) return undefined
  const said = await ask(executable, name)
  if (!said) return undefined
  const { points, summary } = said
  const folder = editableFolder(said.direct)
  if (folder !== undefined && (points.length === 0 || hasPlugins(folder)))
    return { plugins: [], folder }
  const description = summary === null ? {} : { description: summary }
  return { plugins: points.map((point) => ({ ...pluginOf(point, name), ...description })) }
}

function pluginOf(point: Said['points'][number], distribution: string): DistributedPlugin {
  const dot = point.name.indexOf('.')
  const kind = KINDS.find((one) => one === point.name.slice(0, dot))
  const fail = (reason: string) =>
    new HostError(
      'MANIFEST_INVALID',
      `Entry point "${point.name}" of the Python distribution "${distribution}" is not a valid plugin: ${reason}.`,
    )
  if (!kind)
    throw fail(
      `its name must consist of kind and name, such as "extension.shout"; kinds are ${KINDS.join(', ')}`,
    )
  const [, member = 'plugin'] = point.value.split(':')
  if (member.trim() !== 'plugin')
    throw fail(`it refers to "${member}", but a module must call its plugin "plugin"`)
  if (point.file === null) throw fail(`there is no module "${point.value}"`)
  return { kind, name: point.name.slice(dot + 1), entry: point.file }
}

/** Whether a folder has a manifest that names plugins, in place of entry points. */
function hasPlugins(folder: string): boolean {
  return (readManifest(folder)?.plugins.length ?? 0) > 0
}

/** The folder of an editable installation. PEP 610 */
function editableFolder(direct: string | null): string | undefined {
  if (direct === null) return undefined
  const { url, dir_info: info } = JSON.parse(direct) as {
    readonly url?: string
    readonly dir_info?: { readonly editable?: boolean }
  }
  if (info?.editable !== true || !url?.startsWith('file://')) return undefined
  return fileURLToPath(url)
}

async function ask(executable: string, name: string): Promise<Said | undefined> {
  const fail = (reason: string, cause?: unknown) => {
    const message = `The metadata of the Python distribution "${name}" cannot be read: ${reason}`
    return new HostError('MANIFEST_INVALID', message, { cause })
  }
  const options = { env: childVariables(), timeoutMs: LONGEST_MS }
  // Isolated mode: otherwise modules of the working directory could be imported.
  const args = ['-I', '-c', SCRIPT, name, GROUP]
  const { status, isLate, out, err } = await runProgram(executable, args, options).catch(
    (error: unknown) => {
      throw fail(messageOf(error), error)
    },
  )
  if (isLate) throw fail(`its interpreter did not answer within ${LONGEST_MS / 1000} seconds`)
  if (status !== 0) throw fail(err.trim().split('\n').at(-1) ?? '')
  return (JSON.parse(out) as Said | null) ?? undefined
}
