import type { Config, Context, Feature } from '@braidwork/plugin'
import { readResources } from '@braidwork/tool-mcp/resources'
import { fitting, type ShownResource, withResources } from './block.ts'
import { refOf, reportResources } from './report.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'

const SHOWN = 'shown'
/** The default of `limits.hook`, in seconds, and the part of it that a server may take. */
const USUAL_HOOK_LIMIT = 30
const SHARE = 0.8

/** Reads the resources at the beginning of the request. What cannot be read is left out, with a warning. */
async function resourcesFor(config: Config, context: Context): Promise<readonly ShownResource[]> {
  const { resources, max_characters } = readSettings(config)
  if (resources.length === 0) return []
  const { warn } = context
  const ms = 1000 * SHARE * (config.limits?.hook ?? USUAL_HOOK_LIMIT)
  const read = await readResources(context, resources, ms)
  if (!read) {
    const reason = 'the tool plugin "mcp" is not on or uses no server'
    for (const wanted of resources) {
      context.report({ kind: 'resource', ref: refOf(wanted), status: 'missing', reason })
    }
    warn(
      'no resource is shown: the tool plugin "mcp", whose servers have them, is not on or uses none',
    )
    return []
  }
  for (const { server, uri, problem } of read) {
    if (problem !== undefined) warn(`the resource "${uri}" of "${server}" is left out: ${problem}`)
  }
  const texts = read.flatMap(({ server, uri, text }) =>
    text === undefined ? [] : [{ server, uri, text }],
  )
  const { shown, short } = fitting(texts, max_characters)
  reportResources(read, shown, context)
  if (short > 0)
    warn(
      `resources that are cut or left out: ${short}; raise "settings.mcp-resources.max_characters"`,
    )
  return shown
}

export default {
  kind: 'feature',
  name: 'mcp-resources',
  // Off by default, since it shows the model texts of others.
  defaultEnabled: false,
  configSchema: CONFIG_SCHEMA,

  async init(config, state, context) {
    context.local.set(SHOWN, await resourcesFor(config, context))
    return state
  },

  editMessages: (messages, _state, { local }) =>
    withResources(messages, (local.get(SHOWN) ?? []) as readonly ShownResource[]),
} satisfies Feature
