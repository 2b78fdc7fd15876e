import type { SettingsDocument } from '@braidwork/core'
import { EACH, marksOf } from '@braidwork/core/internal'
import { HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'

/** Neutral settings, which everybody may set for himself. */
const NEUTRAL = [
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
 * Refuses what a caller may not set: all that is not neutral and not on the server's list, and every secret.
 * @throws {HostError} REQUEST_INVALID, with a pointer into `data`
 */
export function checkOwnSettings(
  document: SettingsDocument,
  data: JsonObject,
  settable: readonly string[],
): void {
  const allowed = [...NEUTRAL, ...settable]
  const secrets = marksOf(document.schema).filter(({ isSecret }) => isSecret)
  for (const path of changedPaths(document.data, data)) {
    const pointer = pointerOf(path)
    if (!allowed.some((one) => pointer === one || pointer.startsWith(`${one}/`))) {
      throw new HostError('REQUEST_INVALID', `The server does not let "${pointer}" be set.`, {
        pointer,
      })
    }
    if (secrets.some((secret) => isAt(path, secret.path))) {
      throw new HostError('REQUEST_INVALID', `"${pointer}" is a secret: it is set on the server.`, {
        pointer,
      })
    }
  }
}

/** The document as one may see it who may not set all: the values of other plugins are left out. */
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

/** The places where two values differ, as deep as both are objects. */
function* changedPaths(
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

/** Whether a path is that of a mark, or leads through it. */
function isAt(path: readonly string[], marked: readonly string[]): boolean {
  return marked.every(
    (key, index) => key === EACH || path[index] === key || path[index] === undefined,
  )
}
