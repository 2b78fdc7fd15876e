import { type AgentSpec, createRuntime, type RuntimeOptions } from '../../../src/agent/index.ts'
import type { Host } from '../../../src/core/host/index.ts'
import { EventChecker, type RunEvent } from '../../../src/plugin/events/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

interface Rule {
  readonly when?: object
  readonly then: object
}

/** An agent that follows a script, and may ask the others. */
export function agent(
  id: string,
  script: readonly Rule[],
  spec: Partial<AgentSpec> = {},
): AgentSpec {
  return { id, config: { settings: { scripted: { script } } }, ...spec }
}

/** A call of the tool that asks an agent. */
export function asks(id: string, prompt: string) {
  return { name: `agent_run_${id}`, input: { prompt } }
}

/** An agent that asks others in its first step, and then repeats what they said. */
export function leader(calls: readonly object[], spec: Partial<AgentSpec> = {}): AgentSpec {
  const script = [
    { when: { step: 1 }, then: { tool_calls: calls } },
    { then: { text: 'I have asked.' } },
  ]
  return agent('leader', script, spec)
}

/** An agent that says one thing. */
export function speaker(id: string, text: string, spec: Partial<AgentSpec> = {}): AgentSpec {
  return agent(id, [{ then: { text } }], spec)
}

export interface Team extends Partial<Omit<RuntimeOptions, 'host'>> {
  readonly agents: readonly AgentSpec[]
  readonly plugins?: readonly unknown[]
}

/** A runtime of agents, on a host of the scripted provider. */
export async function teamOf({ plugins = [], ...options }: Team) {
  const host: Host = await scriptedHost(plugins)
  const runtime = await createRuntime({ host, ...options })
  return {
    host,
    runtime,
    [Symbol.asyncDispose]: () => host.close(),
  }
}

/** The events of a run, which must be in order. */
export async function read(stream: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const checker = new EventChecker('run')
  const events: RunEvent[] = []
  for await (const event of stream) {
    checker.check(event)
    events.push(event)
  }
  return events
}

/** What the calls of a run ended with, by the name of their tools. */
export function endsIn(events: readonly RunEvent[]) {
  return events.flatMap((event) =>
    event.type === 'tool-execution-end' ? [[event.result.name, event.result.output]] : [],
  )
}
