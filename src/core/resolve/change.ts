import { type Config, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readValue } from '../hooks/index.ts'
import type { Resolution, ResolveOptions } from './resolution.ts'
import { resolve } from './resolve.ts'

/** One edit of a config: an id added to a list or removed from it, or another model. */
export type Edit =
  | {
      readonly edit: 'add'
      readonly list: 'enabled_plugins' | 'disabled_plugins'
      readonly plugin: string
    }
  | { readonly edit: 'remove'; readonly list: 'disabled_plugins'; readonly plugin: string }
  | { readonly edit: 'set'; readonly key: 'model'; readonly model: string }

const MOST_EDITS = 3
const MOST_RESOLUTIONS = 2000

export interface Changes {
  /** For each plugin, all smallest sets of edits that turn it on. */
  readonly found: ReadonlyMap<string, readonly (readonly Edit[])[]>
  /** Whether the search tried all sets of edits. */
  readonly isComplete: boolean
}

/** The input of a search for changes. */
export interface ChangeSearch {
  readonly plugins: readonly AnyPlugin[]
  readonly config: Config
  /** The resolution of the unchanged config. */
  readonly resolution: Resolution
  /** The plugins to turn on. */
  readonly off: readonly string[]
  readonly options: ResolveOptions
}

type EditSet = readonly Edit[]

/**
 * Searches for the smallest changes of a config that turn plugins on. It applies every set of one edit and resolves
 * again, then every set of two, then of three. So the first sets found for a plugin are the smallest.
 */
export async function findChanges(search: ChangeSearch): Promise<Changes> {
  const edits = possibleEdits(search)
  const found = new Map<string, readonly EditSet[]>()
  let wanted = new Set(search.off)
  let left = MOST_RESOLUTIONS
  for (let size = 1; size <= MOST_EDITS && wanted.size > 0; size++) {
    const ofThisSize = new Map<string, EditSet[]>()
    for (const set of combinations(edits, size)) {
      // Sets of this size are still untried, and might turn plugins on too. So the result is incomplete.
      if (left-- === 0) return { found, isComplete: false }
      const on = await turnedOn(search, set)
      for (const name of on.filter((id) => wanted.has(id))) addTo(ofThisSize, name, set)
    }
    for (const [name, sets] of ofThisSize) found.set(name, sets)
    wanted = new Set([...wanted].filter((name) => !found.has(name)))
  }
  return { found, isComplete: true }
}

function addTo(sets: Map<string, EditSet[]>, name: string, set: EditSet): void {
  const known = sets.get(name)
  if (known) known.push(set)
  else sets.set(name, [set])
}

/** All edits, in registration order of their plugins. Changes of the model come last. */
function possibleEdits({ plugins, config, resolution }: ChangeSearch): Edit[] {
  const { model, models } = resolution
  const ofPlugins = plugins
    .filter(({ kind }) => kind !== 'provider')
    .flatMap((plugin) => editsOf(plugin, config))
  const others = models.filter((id) => id !== model)
  return [...ofPlugins, ...others.map((id): Edit => ({ edit: 'set', key: 'model', model: id }))]
}

function editsOf(plugin: AnyPlugin, config: Config): Edit[] {
  const { name } = plugin
  const edits: Edit[] = []
  if (isOffByDefault(plugin) && !config.enabled_plugins?.includes(name)) {
    edits.push({ edit: 'add', list: 'enabled_plugins', plugin: name })
  }
  const isDisabled = config.disabled_plugins?.includes(name) === true
  edits.push({ edit: isDisabled ? 'remove' : 'add', list: 'disabled_plugins', plugin: name })
  return edits
}

function isOffByDefault(plugin: AnyPlugin): boolean {
  try {
    return readValue(plugin, 'defaultEnabled') === false
  } catch {
    return false
  }
}

/** Applies edits to a config. */
export function applyEdits(config: Config, edits: EditSet): Config {
  return edits.reduce(applyEdit, config)
}

function applyEdit(config: Config, edit: Edit): Config {
  if (edit.edit === 'set') return { ...config, model: edit.model }
  const list = config[edit.list] ?? []
  const changed =
    edit.edit === 'add' ? [...list, edit.plugin] : list.filter((id) => id !== edit.plugin)
  return { ...config, [edit.list]: changed }
}

async function turnedOn(
  { plugins, config, options }: ChangeSearch,
  edits: EditSet,
): Promise<readonly string[]> {
  const edited = applyEdits(config, edits)
  try {
    const { extensions, features, tools } = (await resolve(plugins, edited, options)).resolution
      .enabled
    return [...extensions, ...features, ...tools]
  } catch (error) {
    // If the provider fails for the edited config, the edits turn nothing on.
    if (HostError.is(error)) return []
    throw error
  }
}

function* combinations<T>(items: readonly T[], size: number, from = 0): Generator<readonly T[]> {
  if (size === 0) {
    yield []
    return
  }
  for (const [offset, item] of items.slice(from).entries()) {
    for (const rest of combinations(items, size - 1, from + offset + 1)) yield [item, ...rest]
  }
}
