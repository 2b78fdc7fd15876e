import { asSentence } from '../errors.ts'
import { findJsonFault } from '../events/index.ts'
import { openTools, scoped } from '../host/doors.ts'
import { coreOf } from '../host/host.ts'
import type { OpenRequest } from '../host/request.ts'
import { bindHook, type HookFrame, limitsOf, readChunks } from '../plugin/internal.ts'
import { validatorOf } from '../schema/json-schema.ts'
import { PluginFault, type Trial, type TrialOptions } from './trial.ts'

type Call = NonNullable<TrialOptions['calls']>[number]

/** Runs the calls of a trial as a model's: arguments validated, one after the other. */
export async function tryCalls(trial: Trial): Promise<void> {
  const { host, config, options } = trial
  await scoped(async (scope) => {
    const request = await openTools(coreOf(host), config, { scope })
    for (const call of options.calls ?? []) await tryCall(trial, request, call)
  })
}

async function tryCall(
  { host, plugin }: Trial,
  { resolved, contextOf, outcome }: OpenRequest,
  { name, input }: Call,
): Promise<void> {
  const tool = outcome?.tools.find((one) => one.plugin === plugin && one.ownName === name)
  if (!tool) throw new PluginFault(`"${plugin.name}" offers no tool "${name}" for its config.`)
  const fault = (await validatorOf(tool.schema.input_schema))(input)
  if (fault)
    throw new PluginFault(`The schema of "${name}" refuses this call: ${asSentence(fault.message)}`)
  const frame: HookFrame = {
    plugin,
    phase: 'tools',
    limits: limitsOf(resolved.config),
    signal: coreOf(host).closing,
    context: contextOf(plugin.name, 'tools'),
  }
  const answer = await bindHook(frame, 'executeTool')?.({ callId: 'call', name, input }, tool.state)
  const result = await resultOf(frame, answer)
  const { reason } = findJsonFault(result ?? null) ?? {}
  if (reason === undefined) return
  throw new PluginFault(`"${name}" answered with what no message can carry: ${reason}.`)
}

/** What a tool answered, or the last value of its progress. */
async function resultOf(frame: HookFrame, answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer))
    return answer
  let last: unknown
  await readChunks(frame, answer as AsyncIterable<unknown>, (value) => {
    last = value
    return undefined
  })
  return last
}
