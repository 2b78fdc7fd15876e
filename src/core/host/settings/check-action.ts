import { HostError } from '@braidwork/plugin'
import { type AnyPlugin, asSentence } from '@braidwork/plugin/internal'
import { faultIn } from '../../config/index.ts'
import { hasHook } from '../../hooks/index.ts'
import type { Resolved } from '../../resolve/index.ts'
import { didYouMean, listed } from '../../suggest.ts'
import type { HostCore } from '../core.ts'
import { formElements, pluginsOf } from './form-elements.ts'

/**
 * Checks an action against those that the form of the config offers for its plugin. A plugin that lists none, and one
 * whose list cannot be read, takes any.
 * @throws {HostError} OPTION_INVALID, with the pointer `/id` or one into `/input`
 */
export async function checkAction(
  core: HostCore,
  resolved: Resolved,
  plugin: AnyPlugin,
  { id, input }: { readonly id: string; readonly input: unknown },
): Promise<void> {
  const { elements } = await formElements(core, resolved, pluginsOf(resolved))
  if (hasHook(plugin, 'getUiElements') && !elements.has(plugin.name)) return
  const all = [...elements.values()].flatMap(({ actions }) => actions)
  const offered = all.filter((action) => action.plugin === plugin.name)
  if (offered.length === 0) return
  const action = offered.find((one) => one.id === id)
  const refuse = (pointer: string, message: string) =>
    new HostError('OPTION_INVALID', message, { plugin: plugin.name, pointer })
  const ids = offered.map((one) => one.id)
  const owner = `${plugin.kind} "${plugin.name}"`
  if (!action) {
    const known = `the actions for this config are ${listed(ids)}`
    throw refuse('/id', `There is no action "${id}" of ${owner}; ${known}.${didYouMean(id, ids)}`)
  }
  const fault = action.schema && (await faultIn(action.schema, input))
  if (!fault) return
  const where = fault.pointer === '' ? '' : ` at ${fault.pointer}`
  const message = `The input of action "${id}" of ${owner} is not valid${where}`
  throw refuse(`/input${fault.pointer}`, `${message}: ${asSentence(fault.message)}`)
}
