import type { SettingsDocument } from '@braidwork/core'
import { isOn, type Mark, marksOf } from '@braidwork/core/internal'
import { HostError, isObject, pointerOf } from '@braidwork/plugin'

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

/**
 * Refuses changes that a caller may not make: settings that are neither neutral nor on the server's list, and all
 * secrets.
 * @param changed the paths of the changed values
 * @throws {HostError} REQUEST_INVALID, with a pointer into `data`
 */
export function checkOwnSettings(
  document: SettingsDocument,
  changed: readonly (readonly string[])[],
  settable: readonly string[],
): void {
  const allowed = [...NEUTRAL, ...settable]
  const secrets = marksOf(document.schema).filter(({ isSecret }) => isSecret)
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
    if (secrets.some((secret) => isAt(path, secret.path))) {
      throw new HostError(
        'REQUEST_INVALID',
        `"${pointer}" is a secret and can be changed only on the server.`,
        {
          pointer,
        },
      )
    }
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

/** Returns the settings document with the fields of secrets locked: secrets are changed only on the server. */
export function withLockedSecrets(document: SettingsDocument): SettingsDocument {
  const { uischema } = document
  const elements = uischema.elements.map((category) => ({
    ...category,
    elements: category.elements.map(locked),
  }))
  return { ...document, uischema: { ...uischema, elements } }
}

function locked(element: LayoutElement): LayoutElement {
  if (element.type === 'Group') return { ...element, elements: element.elements.map(locked) }
  if (element.type === 'Label' || element.options?.format !== 'password') return element
  return { ...element, options: { ...element.options, readonly: true } }
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

/** Whether a path leads to, through, or above a marked place. */
function isAt(path: readonly string[], marked: Mark['path']): boolean {
  return marked.every((step, index) => {
    const key = path[index]
    return key === undefined || isOn(step, key)
  })
}
