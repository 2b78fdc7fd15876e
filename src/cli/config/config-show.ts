import type { AgentSpec } from '@braidwork/agent'
import { maskedSpec } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import { ID_LISTS, type Layer, valueAt } from '@braidwork/core/internal'
import { isObject, pointerOf } from '@braidwork/plugin'
import { shownServerConfig } from '@braidwork/server/internal'
import { jsonText } from '../characters.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openHost } from '../open-host.ts'
import type { ConfigOptions } from '../options.ts'
import { shorten, stylesOf, table } from '../terminal.ts'
import { withoutInlineSecrets } from './inline-secrets.ts'

export interface ConfigShowOptions extends ConfigOptions {
  readonly explain?: boolean
}

const LONGEST_VALUE = 60

/** `braidwork config show`: prints the merged config with secrets masked; `--explain` adds each value's layer. */
export async function configShowCommand(options: ConfigShowOptions): Promise<number> {
  const { host, layers, diagnostics, server, declared } = await openHost(options)
  await using _ = host
  const filled = await host.shownConfig()
  reportDiagnostics([...diagnostics, ...host.diagnostics])
  const { plugins } = layers.findLast((layer) => layer.config.plugins)?.config ?? {}
  const served = shownServerConfig(host, server)
  const shown = withoutInlineSecrets({
    ...(plugins ? { plugins } : {}),
    ...filled,
    ...(declared.models === undefined ? {} : { models: shownSpecs(host, declared.models) }),
    ...(declared.agents === undefined ? {} : { agents: shownSpecs(host, declared.agents) }),
    ...(served === undefined ? {} : { server: served }),
  })
  if (!options.explain) {
    process.stdout.write(`${jsonText(shown, 2)}\n`)
    return EXIT.ok
  }
  const rows = leavesOf(shown).map(({ pointer, value }) => [
    pointer,
    shorten(value, LONGEST_VALUE),
    sourceOf(pointer, layers),
  ])
  process.stdout.write(table([['KEY', 'VALUE', 'FROM'], ...rows], stylesOf(process.stdout).dim))
  return EXIT.ok
}

/** Specs as the config has them, which nothing has checked, with the secrets of their configs and endpoints masked. */
function shownSpecs(host: Host, specs: unknown): unknown {
  if (!isObject(specs)) return specs
  const shown = ([id, spec]: [string, unknown]) => [
    id,
    isObject(spec) && isObject(spec['config'] ?? {})
      ? maskedSpec(host, spec as unknown as AgentSpec)
      : spec,
  ]
  return Object.fromEntries(Object.entries(specs).map(shown))
}

interface Leaf {
  readonly pointer: string
  readonly value: string
}

/** The leaf values of a config, each with its JSON pointer. A list counts as one value. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  const isInner = isObject(value) && !('$secret' in value) && Object.keys(value).length > 0
  if (!isInner) {
    const text = isObject(value) && '$secret' in value ? '***' : JSON.stringify(value)
    return [{ pointer: pointerOf(path), value: text }]
  }
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

/** The origin of a value: the highest layer that sets it, or every layer that changed a list of ids. */
function sourceOf(pointer: string, layers: readonly Layer[]): string {
  const having = layers.filter(({ config }) => valueAt(config, pointer) !== undefined)
  const [highest] = having.slice(-1)
  if (!highest) return 'environment'
  const isIdList = ID_LISTS.some((list) => pointer === `/${list}`)
  return (isIdList ? sinceReplaced(pointer, having) : [highest]).map(nameOf).join(', ')
}

/** The layers that a list comes from: the last layer that replaced the list, and all layers after it. */
function sinceReplaced(pointer: string, having: readonly Layer[]): readonly Layer[] {
  const at = having.findLastIndex(({ config }) => Array.isArray(valueAt(config, pointer)))
  return having.slice(Math.max(at, 0))
}

function nameOf({ from, file }: Layer): string {
  return file ? `${from} (${file.path})` : from
}
