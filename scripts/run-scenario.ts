import { send, stream } from '../src/core/chain/index.ts'
import { resolve } from '../src/core/resolve/resolve.ts'
import type { Config } from '../src/plugin/config.ts'
import type { AnyPlugin } from '../src/plugin/plugin.ts'
import { buildPlugins } from './declared-plugins.ts'
import type { Scenario } from './scenario.ts'

/** Makes the plugins of a scenario; the provider is the first. */
export type Build = (scenario: Scenario) => readonly AnyPlugin[] | Promise<readonly AnyPlugin[]>

/** Runs a scenario through resolution and the chain. @returns the line that `oracle.py run` should print */
export async function runScenario(
  scenario: Scenario,
  build: Build = buildPlugins,
): Promise<object> {
  const config = scenario.config as Config
  const resolved = await resolve(await build(scenario), config)
  const { resolution, plugins } = resolved
  const over = new AbortController()
  const request = {
    plugins,
    config: resolved.config,
    messages: scenario.messages,
    scope: over.signal,
  }
  const sent = await send(request)
  const partials: unknown[] = []
  const streamed = await stream(request, (list) => {
    partials.push(list)
    return undefined
  })
  over.abort()
  return {
    id: scenario.id,
    models: resolution.models,
    tags: resolution.tags,
    enabled: resolution.enabled,
    rounds: resolution.rounds,
    send: pick(sent),
    stream: { partials, ...pick(streamed) },
  }
}

function pick({
  finals,
  native,
  state,
}: {
  finals: unknown
  native: unknown
  state: unknown
}): object {
  return { finals, native, state }
}

/** JSON in the format of Python's `json.dumps(..., ensure_ascii=False, sort_keys=True)`. */
export function toPythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  const sorted = entries.sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}: ${toPythonJson(inner)}`).join(', ')}}`
}
