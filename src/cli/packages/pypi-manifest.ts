import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { KINDS } from '@braidwork/plugin'

/** What is known of a distribution that was unpacked. */
interface Distribution {
  /** The name by which it was added, with `pypi:`. */
  readonly name: string
  /** What it needs, as its `Requires-Dist` says (PEP 508). */
  readonly needs: readonly string[]
  readonly version: string
  readonly summary?: string | undefined
  readonly plugins: readonly FoundPlugin[]
}

/** A plugin of a distribution. */
interface FoundPlugin {
  readonly kind: string
  readonly plugin: string
  /** The path of its module in the folder of the distribution. */
  readonly entry: string
  readonly isOff?: boolean
}

/** https://packaging.python.org/en/latest/specifications/entry-points/ */
const GROUP = '[braidwork.plugins]'

/**
 * A pyproject.toml with a manifest of the entry points, and the dependencies of the distribution. It is not a dependency
 * itself: its virtual environment could get another wheel than the one whose hash was checked.
 */
export function manifestText({ name, needs, version, summary, ...rest }: Distribution): string {
  const needed = needs.filter((one) => !isOfExtra(one)).map(quoted)
  const about = summary ? `description = ${quoted(summary)}\n` : ''
  const plugins = rest.plugins.map(({ kind, plugin, entry, isOff = false }) =>
    [
      '[[tool.braidwork.plugins]]',
      `kind = ${quoted(kind)}`,
      `name = ${quoted(plugin)}`,
      `entry = ${quoted(entry)}`,
      ...(isOff ? ['default-enabled = false'] : []),
      about,
    ].join('\n'),
  )
  return `[project]
name = ${quoted(name)}
version = ${quoted(version)}
dependencies = [${needed.join(', ')}]

[tool.braidwork]
api-version = 1
${plugins.length === 0 ? 'plugins = []\n' : ''}
${plugins.join('\n')}`
}

/** Whether only an extra of the distribution needs it, which its marker then says. */
function isOfExtra(need: string): boolean {
  const [, ...marker] = need.split(';')
  return /\bextra\b/.test(marker.join(';'))
}

/** The plugins that the text of entry points names, of a distribution in a folder. */
export function pluginsIn(points: string, folder: string): readonly FoundPlugin[] {
  const lines = points.split('\n').map((line) => line.trim())
  const from = lines.indexOf(GROUP)
  const after = from === -1 ? [] : lines.slice(from + 1)
  const end = after.findIndex((line) => line.startsWith('['))
  return after.slice(0, end === -1 ? after.length : end).flatMap((line) => {
    const [point = '', value = ''] = line.split('=', 2).map((part) => part.trim())
    const [kind = '', plugin = ''] = [point.split('.', 1)[0], point.slice(point.indexOf('.') + 1)]
    const module = value.split(':', 1)[0]?.trim() ?? ''
    return KINDS.some((known) => known === kind)
      ? [{ kind, plugin, entry: entryOf(module, folder) }]
      : []
  })
}

/** The path of a module: a file, or the folder of a package. */
function entryOf(module: string, folder: string): string {
  const path = module.replaceAll('.', '/')
  return existsSync(join(folder, `${path}.py`)) ? `${path}.py` : `${path}/__init__.py`
}

/** A text of TOML. Its basic strings have the escapes of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}
