import { isDeepStrictEqual } from 'node:util'
import { type ConfigLayer, createHost, type Host } from '@braidwork/core'
import { Recording } from '@braidwork/core/internal'
import type { JsonObject } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { PluginFault, type Trial } from './trial.ts'

const TOOL = {
  name: 'look_up',
  description: 'Looks up a word.',
  input_schema: { type: 'object', properties: { word: { type: 'string' } } },
} as const

/**
 * A provider with the tag `tools` has to send the tools. If they are not in its native request, it may still send them
 * later, but only if its `init` has read them, because no other hook gets them.
 */
export async function takesTools({ host, plugin, config, options }: Trial): Promise<void> {
  if (plugin.kind !== 'provider') return
  const { tags } = await host.resolve(config)
  if (!tags.includes('tools')) return
  const { messages = 'Hello' } = options
  const without = await nativeOf(host, { config, messages, tools: [] })
  const withTool = await nativeOf(host, { config, messages, tools: [TOOL] })
  if (!isDeepStrictEqual(without, withTool)) return
  if (await readsTools(plugin, { config, messages, tools: [TOOL] })) return
  throw new PluginFault(
    `"${plugin.name}" has the tag "tools", but sends no tools: its request is the same with a tool and without, and its "init" does not read "config.tools". No other hook receives the tools, so keep them in "init" and send them, or leave out the tag.`,
  )
}

interface Asked {
  readonly config: ConfigLayer
  readonly messages: NonNullable<Trial['options']['messages']>
  readonly tools: readonly (typeof TOOL)[]
}

async function nativeOf(host: Host, { config, messages, tools }: Asked): Promise<unknown> {
  using opened = await host.open(config, { tools })
  const { native } = await opened.dryRun(messages)
  return native
}

/** Whether `init` of a provider reads `config.tools`, or the whole config. */
async function readsTools(plugin: AnyPlugin, asked: Asked): Promise<boolean> {
  const { init } = plugin
  if (typeof init !== 'function') return false
  const recording = new Recording()
  const value = (config: JsonObject, ...rest: readonly unknown[]): unknown =>
    Reflect.apply(init, plugin, [recording.view(config), ...rest])
  // The host of the trial closes the plugin.
  const close = { value: undefined }
  const host = await createHost({ plugins: [Object.create(plugin, { init: { value }, close })] })
  try {
    await nativeOf(host, asked)
  } finally {
    await host.close()
  }
  return recording.pointers.some((pointer) => pointer === '' || pointer.startsWith('/tools'))
}
