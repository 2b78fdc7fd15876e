import { run } from '@braidwork/agent'
import type { CallerTool, ConfigLayer } from '@braidwork/core'
import type { Trial } from './trial.ts'

/** More steps than the answers of a suite need, for a feature that hides from the provider what was called. */
const MOST_STEPS = 3

/**
 * Runs an agent with the plugin, which calls its hooks of a run.
 * @param config by default that of the trial
 * @returns what failed, as a sentence; undefined if nothing did
 */
export async function faultOfRun(
  { host, plugin, options, ...trial }: Trial,
  tools: readonly CallerTool[] = [],
  config: ConfigLayer = trial.config,
): Promise<string | undefined> {
  const { messages = 'Hello' } = options
  const stream = run(host, { config, messages, tools, maxSteps: MOST_STEPS })
  let fault: string | undefined
  for await (const event of stream)
    if (event.type === 'hook-fault' && event.plugin === plugin.name)
      fault ??= `"${event.key}" failed in the phase ${event.phase}: ${event.message}`
  const { status, error } = await stream.result
  return status === 'failed' ? `The run failed with ${error.code}: ${error.message}` : fault
}
