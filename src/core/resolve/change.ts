import { type Config, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readValue } from '../hooks/index.ts'
import type { Resolution, ResolveOptions } from './resolution.ts'
import { resolve } from './resolve.ts'

/** One edit of a config. */
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
  /** By plugin, all smallest sets of edits that turn it on. */
  readonly found: ReadonlyMap<string, readonly (readonly Edit[])[]>
  /** Whether the search came to its end. */
  readonly isComplete: boolean
}

/** What changes are searched for. */
export interface ChangeSearch {
  readonly plugins: readonly AnyPlugin[]
  readonly config: Config
  /** How the config resolves as it is. */
  readonly resolution: Resolution
  /** The plugins to turn on. */
  readonly off: readonly string[]
  readonly options: ResolveOptions
}

type EditSet = readonly Edit[]

/**
 * The smallest changes of a config that turn plugins on. Every set of one edit is tried by resolving
 * again, then every set of two, then three, so what is found first for a plugin is smallest.
 */
export async function findChanges(search: ChangeSearch): Promise<Changes> {
  const edits = possibleEdits(search)
  const found = new Map<string, readonly EditSet[]>()
  let wanted = new Set(search.off)
  let left = MOST_RESOLUTIONS
  for (let size = 1; size <= MOST_EDITS && wanted.size > 0; size++) {
    const ofThisSize = new Map<string, EditSet[]>()
    for (const set of combinations(edits, size)) {
      // Sets of this size that were not tried could be as small: what was found is not all.
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

/** Edits in registration order, other models last. */
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

/** A config with edits applied. */
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
    // A provider that fails for the edited config turns nothing on.
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
