import { type OpenedConfig, validatorOf } from '@braidwork/core/internal'
import { findJsonFault } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { PluginFault, type Trial, type TrialOptions } from './trial.ts'

type Call = NonNullable<TrialOptions['calls']>[number]

/** Executes the calls of a trial as if a model had made them: arguments are validated, one call after the other. */
export async function tryCalls(trial: Trial): Promise<void> {
  const { host, config, options } = trial
  using opened = await host.open(config)
  for (const call of options.calls ?? []) await tryCall(trial, opened, call)
}

async function tryCall({ plugin }: Trial, opened: OpenedConfig, call: Call): Promise<void> {
  const { name, input } = call
  const tool = opened.tools.find((one) => one.plugin === plugin && one.ownName === name)
  if (!tool) throw new PluginFault(`"${plugin.name}" offers no tool "${name}" for its config.`)
  const fault = (await validatorOf(tool.schema.input_schema))(input)
  if (fault)
    throw new PluginFault(`The schema of "${name}" refuses this call: ${asSentence(fault.message)}`)
  const result = await opened.answerOf({ call: { callId: 'call', input }, tool })
  const { reason } = findJsonFault(result ?? null) ?? {}
  if (reason === undefined) return
  throw new PluginFault(`"${name}" returned a result that a message cannot contain: ${reason}.`)
}
