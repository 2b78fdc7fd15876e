import type { SettingsDocument } from '@braidwork/core'
import { type Mark, pathOf } from '@braidwork/core/internal'
import { HostError, isObject, pointerOf } from '@braidwork/plugin'
import { isAt, whyGuarded } from './guarded-settings.ts'

/** Settings that every caller may change for itself. */
export const NEUTRAL: readonly string[] = [
  '/temperature',
  '/top_p',
  '/max_output_tokens',
  '/stop',
  '/seed',
  '/tool_choice',
  '/parallel_tool_calls',
  '/reasoning_effort',
  '/response_format',
]

/** What callers may change for themselves. */
export interface Changeable {
  /** JSON pointers of settings, beside the neutral ones. */
  readonly settable: readonly string[]
  /** The settings that only the operator changes, even if they are below a pointer on that list. */
  readonly guarded: readonly Mark[]
}

/**
 * Refuses changes that a caller may not make: settings that are neither neutral nor on the server's list, all secrets,
 * and where secrets are sent.
 * @param changed the paths of the changed values
 * @throws {HostError} REQUEST_INVALID, with a pointer into `data`
 */
export function checkOwnSettings(
  changed: readonly (readonly string[])[],
  { settable, guarded }: Changeable,
): void {
  const allowed = [...NEUTRAL, ...settable]
  for (const path of changed) {
    const pointer = pointerOf(path)
    if (!allowed.some((one) => pointer === one || pointer.startsWith(`${one}/`))) {
      throw new HostError(
        'REQUEST_INVALID',
        `The server does not allow callers to change "${pointer}".`,
        {
          pointer,
        },
      )
    }
    const mark = guarded.find((one) => isAt(path, one.path))
    if (mark) throw new HostError('REQUEST_INVALID', whyGuarded(pointer, mark), { pointer })
  }
}

/**
 * Returns the settings document for a caller who may not change everything. It leaves out the values of all plugins
 * but those on the server's list.
 */
export function ownView(document: SettingsDocument, settable: readonly string[]): SettingsDocument {
  const isOwn = (plugin: string) =>
    settable.some((one) => one.startsWith(`/settings/${plugin}/`) || one === `/settings/${plugin}`)
  const { settings } = document.data
  const shown = isObject(settings)
    ? Object.fromEntries(Object.entries(settings).filter(([plugin]) => isOwn(plugin)))
    : {}
  const { elements } = document.uischema
  return {
    ...document,
    data: { ...document.data, settings: shown },
    uischema: {
      ...document.uischema,
      elements: elements.filter(({ options }) => !options || isOwn(options.plugin)),
    },
  }
}

/** Returns the settings document with the fields locked that are changed only on the server. */
export function withLocked(document: SettingsDocument, guarded: readonly Mark[]): SettingsDocument {
  const { uischema } = document
  const elements = uischema.elements.map((category) => ({
    ...category,
    elements: category.elements.map(locked),
  }))
  return { ...document, uischema: { ...uischema, elements } }

  function locked(element: LayoutElement): LayoutElement {
    if (element.type === 'Group') return { ...element, elements: element.elements.map(locked) }
    if (element.type === 'Label') return element
    const path = pathOf(element.scope)
    const isLocked = guarded.some((one) => path.length >= one.path.length && isAt(path, one.path))
    return isLocked ? { ...element, options: { ...element.options, readonly: true } } : element
  }
}

type LayoutElement = SettingsDocument['uischema']['elements'][number]['elements'][number]

/** Yields the paths at which two values differ, and descends where both are objects. */
export function* changedPaths(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): Generator<readonly string[]> {
  if (isObject(after) && (isObject(before) || before === undefined)) {
    for (const [key, value] of Object.entries(after)) {
      const old = isObject(before) && Object.hasOwn(before, key) ? before[key] : undefined
      yield* changedPaths(old, value, [...path, key])
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after)) yield path
}
