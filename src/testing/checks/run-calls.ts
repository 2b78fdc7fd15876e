import type { OpenedConfig } from '@braidwork/core'
import type { ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import type { Harness } from '../harness/index.ts'

/** A call of the options, as the model would make it, and its result. */
export interface RanCall {
  readonly call: ToolCallPart
  readonly result: ToolResultPart
}

/** Runs the calls of the options one after the other, in a config that is opened for them. */
export async function runCalls(harness: Harness): Promise<readonly RanCall[]> {
  const { host, config } = harness.trial
  using opened = await host.open(config)
  const ran: RanCall[] = []
  for (const call of callsOf(harness, opened))
    ran.push({ call, result: await opened.execute(call) })
  return ran
}

/** The calls of the options under the names that the model uses. */
export function callsOf(
  { options, trial }: Harness,
  opened: OpenedConfig,
): readonly ToolCallPart[] {
  return (options.calls ?? []).map(({ name, input }, at) => {
    const tool = opened.tools.find((one) => one.plugin === trial.plugin && one.ownName === name)
    return { type: 'tool-call', callId: `call-${at}`, name: tool?.name ?? name, input }
  })
}
