import type { Host } from '@braidwork/core'
import { isPromise } from '@braidwork/core/internal'
import { HOOKS, type HookName, isObject, KINDS } from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { shorten, stylesOf } from '../terminal.ts'

/** Hooks whose results change nothing in the request or the answer. */
const SILENT = new Set<string>(['isEnabled', 'close', 'stream', 'getUiElements'])
const LONGEST_CHANGE = 120

export interface Trace {
  /** Wraps a plugin so that its hooks report their changes. Other values are returned unchanged. */
  readonly wrap: (plugin: unknown) => unknown
  /** Masks the secrets of the host's config from now on. The trace prints nothing before this call. */
  readonly maskBy: (host: Host) => void
}

/**
 * `--trace`: prints a line on standard error for each hook that ran, with the change that it made. `makeRoom`
 * ends the open output line.
 */
export function createTrace(makeRoom: () => void): Trace {
  const { dim } = stylesOf(process.stderr)
  let mask: ((text: string) => string) | undefined
  const report = (hook: string, plugin: string, change: string): void => {
    if (!mask) return
    makeRoom()
    const line = `${hook.padEnd(18)} ${plugin.padEnd(14)} ${change}`
    process.stderr.write(`${dim(visible(mask(line)))}\n`)
  }
  return {
    wrap: (plugin) => (isPlugin(plugin) ? tracePlugin(plugin, report) : plugin),
    maskBy: (host) => {
      mask = (text) => host.maskTexts(text)
    },
  }
}

type Report = (hook: string, plugin: string, change: string) => void
type TracedPlugin = {
  readonly kind: string
  readonly name: string
  readonly [key: string]: unknown
}

/** Whether a value is an object or a class instance that looks like a plugin. */
function isPlugin(value: unknown): value is TracedPlugin {
  if (typeof value !== 'object' || value === null) return false
  const { kind, name } = value as Partial<TracedPlugin>
  return KINDS.some((known) => known === kind) && typeof name === 'string'
}

/** The plugin with its hooks wrapped. Inherited members and the plugin's own state stay the same. */
function tracePlugin(plugin: TracedPlugin, report: Report): TracedPlugin {
  const hooks = (Object.keys(HOOKS) as HookName[]).filter(
    (hook) => !SILENT.has(hook) && typeof plugin[hook] === 'function',
  )
  const traced = hooks.map((hook): [string, PropertyDescriptor] => [
    hook,
    { value: traceHook(plugin, hook, report), enumerable: true },
  ])
  return Object.create(plugin, Object.fromEntries(traced)) as TracedPlugin
}

function traceHook(plugin: TracedPlugin, hook: HookName, report: Report) {
  const run = plugin[hook] as (...args: unknown[]) => unknown
  return (...args: unknown[]): unknown => {
    const show = (answer: unknown): unknown => {
      const change = changeOf(hook, args, answer)
      if (change !== undefined) report(hook, plugin.name, change)
      return answer
    }
    const answer: unknown = Reflect.apply(run, plugin, args)
    return isPromise(answer) ? answer.then(show) : show(answer)
  }
}

/** Describes how a hook's result differs from its input; `undefined` if it does not. */
function changeOf(hook: HookName, args: readonly unknown[], answer: unknown): string | undefined {
  switch (hook) {
    case 'processChunk':
    case 'finalize':
    case 'call':
    case 'initializeRequest':
      return turnChange(hook, args, answer)
    case 'init':
      return valueChange(
        'state',
        isObject(args[1]) && !('signal' in args[1]) ? args[1] : {},
        answer,
      )
    case 'editMessages':
      return valueChange('messages', args[0], answer)
    case 'toNative':
    case 'fromNative':
      return valueChange(hook === 'toNative' ? 'native' : 'core', args[1], answer)
    default:
      return valueChange('answer', undefined, answer)
  }
}

const MEMBERS: { readonly [hook: string]: readonly string[] } = {
  processChunk: ['partials', 'finals', 'native', 'state'],
  call: ['partials', 'finals', 'native', 'state'],
  finalize: ['finals', 'native', 'state'],
  initializeRequest: ['native', 'state'],
}

const LISTS = new Set(['partials', 'finals'])

/** For hooks that return several values: compares each with the argument of the same name, from the right. */
function turnChange(hook: string, args: readonly unknown[], answer: unknown): string | undefined {
  if (!Array.isArray(answer)) return undefined
  const members = MEMBERS[hook] ?? []
  // The context is the last argument. A provider gets no partials or finals.
  const given = args.slice(0, -1)
  const changes = members.map((member, at) => {
    const before = given[given.length - members.length + at]
    // For a list without a matching argument, an empty result changes nothing.
    const start = before === undefined && LISTS.has(member) ? [] : before
    return valueChange(member, start, answer[at])
  })
  const shown = changes.filter((change) => change !== undefined)
  return shown.length > 0 ? shown.join(' · ') : undefined
}

function valueChange(name: string, before: unknown, after: unknown): string | undefined {
  if (Object.is(before, after)) return undefined
  const from = JSON.stringify(before)
  const to = JSON.stringify(after)
  if (from === to) return undefined
  if (isObject(before) && isObject(after)) return `${name} ${keyChanges(before, after)}`
  return `${name} ${shorten(to ?? 'nothing', LONGEST_CHANGE)}`
}

type Values = { readonly [key: string]: unknown }

function keyChanges(before: Values, after: Values): string {
  const gone = Object.keys(before).filter((key) => !(key in after))
  const changed = Object.keys(after).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  const set = changed.map(
    (key) => `${key}=${shorten(JSON.stringify(after[key]) ?? '', LONGEST_CHANGE)}`,
  )
  return [...set, ...gone.map((key) => `-${key}`)].join(', ')
}
