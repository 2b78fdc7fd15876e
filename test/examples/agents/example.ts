import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  type AgentRunOptions,
  type AgentRuntime,
  type AgentSpec,
  createRuntime,
  type RunResult,
  readAgentFiles,
} from '../../../src/agent/index.ts'
import { type ConfigLayer, createHost, type Host, mergeLayers } from '../../../src/core/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { collect } from '../../helpers/hosts.ts'
import { ROOT } from '../../helpers/source-files.ts'

export const EXAMPLES = join(ROOT, 'examples', 'agents')

/** What a test changes of an example. */
export interface Changes {
  /** The settings of the plugins, whose folders are relative to the folder of the example. */
  readonly config?: ConfigLayer
  /** Rules of the scripted provider in place of those of the example. */
  readonly script?: readonly object[]
  /** Fields of the agents. */
  readonly spec?: Partial<AgentSpec>
  /** Fields of single agents, by their ids. */
  readonly specs?: { readonly [id: string]: Partial<AgentSpec> }
  /** Plugins beside those of the example. */
  readonly plugins?: readonly string[]
}

export interface Ran {
  readonly events: readonly RunEvent[]
  readonly result: RunResult
}

/** An example in a folder of its own, with a host and a runtime as a program makes them. */
export class Example {
  readonly folder: string
  readonly host: Host
  readonly runtime: AgentRuntime
  readonly #name: string

  private constructor(name: string, parts: Pick<Example, 'folder' | 'host' | 'runtime'>) {
    this.#name = name
    this.folder = parts.folder
    this.host = parts.host
    this.runtime = parts.runtime
  }

  static async open(name: string, changes: Changes = {}): Promise<Example> {
    const folder = await copyOf(name)
    const { plugins, ...config } = await configIn(folder, changes)
    const host = await createHost({ plugins: [...plugins, ...(changes.plugins ?? [])], config })
    const { agents, faults } = await readAgentFiles(join(folder, 'agents'))
    expect(faults).to.deep.equal([])
    const { spec, specs = {} } = changes
    const changed = agents.map((agent) => ({ ...agent, ...spec, ...specs[agent.id] }))
    const runtime = await createRuntime({ host, agents: changed })
    return new Example(name, { folder, host, runtime })
  }

  /** The path of a file of the example. */
  at(...names: readonly string[]): string {
    return join(this.folder, ...names)
  }

  text(...names: readonly string[]): Promise<string> {
    return readFile(this.at(...names), 'utf8')
  }

  /** Reads the events of a run to its end. */
  async stream(options: Partial<AgentRunOptions> = {}): Promise<Ran> {
    const stream = await this.runtime.run(this.#name, { messages: 'Go on.', ...options })
    return { events: await collect(stream), result: await stream.result }
  }

  /** Takes only the result of a run. */
  async result(options: Partial<AgentRunOptions> = {}): Promise<RunResult> {
    return (await this.runtime.run(this.#name, { messages: 'Go on.', ...options })).result
  }

  async close(): Promise<void> {
    await this.host.close()
    await rm(this.folder, { recursive: true })
  }
}

/** Copies an example without what it has written where it stands. */
export async function copyOf(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
  await cp(join(EXAMPLES, name), folder, { recursive: true })
  for (const written of ['notes', 'records', 'books', '__pycache__'])
    await rm(join(folder, written), { recursive: true, force: true })
  return folder
}

interface ExampleConfig extends ConfigLayer {
  readonly plugins: readonly string[]
}

/** The config of an example, with paths that do not depend on the working directory of the tests. */
async function configIn(folder: string, { config = {}, script }: Changes): Promise<ExampleConfig> {
  const text = await readFile(join(folder, 'braidwork.json'), 'utf8')
  const { plugins, ...given } = JSON.parse(text) as ExampleConfig
  const scripted = { delay_ms: 0, ...(script ? { script } : {}) }
  const merged = mergeLayers(given, { settings: { scripted } }, config)
  const settings = Object.entries(merged.settings ?? {}).map(([plugin, values]) => [
    plugin,
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        ['folder', 'file'].includes(key) ? join(folder, String(value)) : value,
      ]),
    ),
  ])
  const isPath = (plugin: string) => plugin.startsWith('./')
  return {
    ...merged,
    plugins: plugins.map((plugin) => (isPath(plugin) ? join(folder, plugin) : plugin)),
    settings: Object.fromEntries(settings),
  }
}

/** The results of the calls of a run, in order. */
export function callsIn({ messages }: RunResult) {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool-result'
        ? [{ name: part.name, output: part.output, class: part.error?.class }]
        : [],
    ),
  )
}

/** The ends of the calls in the events of a run, in order. */
export function endsIn(events: readonly RunEvent[]) {
  return events.flatMap((event) =>
    event.type === 'tool-execution-end'
      ? [{ name: event.result.name, output: event.result.output, class: event.error?.class }]
      : [],
  )
}

/** A script that makes these calls, one an answer, and then ends. */
export function calling(...calls: readonly { readonly name: string; readonly input: object }[]) {
  return [
    ...calls.map((call, at) => ({ when: { step: at + 1 }, then: { tool_calls: [call] } })),
    { then: { text: 'Done.' } },
  ]
}
