import type { Diagnostic } from '../errors.ts'
import { loadPlugin } from '../load/load-plugin.ts'
import type { PythonLoader } from '../load/python-loader.ts'
import { type AnyPlugin, checkPlugin } from '../plugin/internal.ts'

export interface Registry {
  /** In registration order; names are unique. */
  readonly plugins: readonly AnyPlugin[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Plugins out of objects, names and paths; what cannot be used is a diagnostic, never an error. */
export async function registerPlugins(
  given: readonly unknown[],
  python?: PythonLoader,
): Promise<Registry> {
  const plugins = new Map<string, AnyPlugin>()
  const diagnostics: Diagnostic[] = []
  for (const { value, from, diagnostics: found } of await Promise.all(
    given.map((item, index) => loadGiven(item, index, python)),
  )) {
    diagnostics.push(...found)
    if (value === undefined) continue
    const checked = checkPlugin(value, from)
    diagnostics.push(...checked.diagnostics)
    const { plugin } = checked
    const other = plugin && plugins.get(plugin.name)
    if (plugin && !other) plugins.set(plugin.name, plugin)
    // The same object twice is the same plugin.
    if (plugin && other && other !== plugin) diagnostics.push(nameTaken(plugin, other, from))
  }
  return { plugins: [...plugins.values()], diagnostics }
}

interface Given {
  readonly value?: unknown
  readonly from: string
  readonly diagnostics: readonly Diagnostic[]
}

async function loadGiven(
  item: unknown,
  index: number,
  python: PythonLoader | undefined,
): Promise<Given> {
  const from = typeof item === 'string' ? `"${item}"` : `plugins[${index}]`
  if (typeof item !== 'string') return { value: item ?? null, from, diagnostics: [] }
  const { plugin, diagnostics } = await loadPlugin(item, { python })
  return { value: plugin, from, diagnostics }
}

function nameTaken(plugin: AnyPlugin, other: AnyPlugin, from: string): Diagnostic {
  return {
    code: 'PLUGIN_NAME_TAKEN',
    level: 'error',
    plugin: plugin.name,
    message: `The ${plugin.kind} from ${from} is off: a ${other.kind} named "${plugin.name}" is registered already. Rename one of them.`,
  }
}
