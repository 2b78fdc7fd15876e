import { firstRequests, modelFaults } from '@braidwork/agent/internal'
import { listed, valueAt } from '@braidwork/core/internal'
import { type Diagnostic, HostError, pointerOf } from '@braidwork/plugin'
import { agentWarnings, asDiagnostic } from './agent-diagnostics.ts'
import { placeIn } from './config-places.ts'
import type { OpenRuntime } from './open-runtime.ts'

type Opened = Pick<OpenRuntime, 'runtime' | 'faults' | 'layers'>

/** A finding that several agents may share. One of a model that no agent refers to has none. */
interface Finding {
  readonly diagnostic: Diagnostic
  readonly agents: string[]
}

/**
 * Everything that is wrong with the declared agents and models: what is not valid, what a run would refuse, and what it
 * would warn of. Each is told once, with the agents that have it.
 * @param told what is told already
 */
export async function findingsOfAgents(
  opened: Opened,
  told: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { runtime, faults } = opened
  const failed = await runtime.check()
  const broken = new Set(failed.map(({ agent }) => agent))
  const fine = runtime.agents.filter(({ id, endpoint }) => !broken.has(id) && !endpoint)
  const findings = new Findings(opened, told)
  for (const { agent, error } of failed) findings.add(agent, asDiagnostic(error))
  for (const fault of modelFaults(runtime)) findings.add(undefined, asDiagnostic(fault))
  const errors = [...faults.map(asDiagnostic), ...findings.all]
  const warnings: Diagnostic[] = []
  for (const { id } of fine) warnings.push(...agentWarnings(await runtime.resolve(id)))
  const ids = fine.map(({ id }) => id)
  return [...errors, ...warnings, ...(await requestFindings(opened, ids, told))]
}

/** What the first requests of agents would refuse or warn of. Agents that cannot run have none. */
export async function requestFindings(
  opened: Opened,
  agents: readonly string[],
  told: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { runtime } = opened
  const findings = new Findings(opened, told)
  for (const id of agents) {
    try {
      const { resolution } = await runtime.resolve(id)
      const codes = new Map(resolution.diagnostics.map(({ message, code }) => [message, code]))
      const { errors, warnings } = await firstRequests(runtime, id)
      for (const error of errors) findings.add(id, asDiagnostic(error))
      for (const message of warnings) {
        const code = codes.get(message) ?? 'REQUEST_WARNING'
        findings.add(id, { code, level: 'warning', message })
      }
    } catch (error) {
      // The command itself reports why an agent cannot be resolved.
      if (!HostError.is(error)) throw error
    }
  }
  return findings.all
}

/** Findings by their message. */
class Findings {
  readonly #opened: Opened
  readonly #told: ReadonlySet<string>
  readonly #found = new Map<string, Finding>()

  constructor(opened: Opened, told: readonly Diagnostic[]) {
    this.#opened = opened
    this.#told = new Set(told.map(({ message }) => message))
  }

  add(agent: string | undefined, diagnostic: Diagnostic): void {
    const { message } = diagnostic
    if (this.#told.has(message)) return
    const found = this.#found.get(message) ?? { diagnostic, agents: [] }
    if (agent !== undefined) found.agents.push(agent)
    this.#found.set(message, found)
  }

  get all(): readonly Diagnostic[] {
    return [...this.#found.values()].map((one) => this.#named(one))
  }

  /** A finding with the names of its agents, and with the place of its value in a file of the config. */
  #named({ diagnostic, agents }: Finding): Diagnostic {
    const { message, pointer } = diagnostic
    const [first] = agents
    const places = agents.flatMap((id) => this.#placeOf(id, pointer) ?? [])
    const place = [...new Set(places)].join(', ')
    const isNamed = first === undefined || message.includes(`"${first}"`)
    const names = listed(agents.map((id) => `"${id}"`))
    const owner = isNamed ? '' : `Agent${agents.length > 1 ? 's' : ''} ${names}: `
    const at = place === '' || message.includes(place) ? '' : ` (${place})`
    return { ...diagnostic, message: `${owner}${message}${at}` }
  }

  /** The place of a value in the config of an agent, or in that of the host. */
  #placeOf(id: string, pointer: string | undefined): string | undefined {
    if (pointer === undefined) return undefined
    const { layers, runtime } = this.#opened
    const spec = runtime.agents.find((one) => one.id === id)
    const inSpec = pointer.startsWith('/config/') ? pointer : `/config${pointer}`
    if (valueAt(spec, firstKeys(inSpec)) === undefined) return placeIn(layers, pointer)
    const agent = pointerOf(['agents', id])
    const isInFile = layers.every(({ config }) => valueAt(config, agent) === undefined)
    return isInFile ? undefined : placeIn(layers, `${agent}${inSpec}`)
  }
}

/** A pointer with at most three of its keys: a fault may be that the value below them is missing. */
function firstKeys(pointer: string): string {
  return pointer.split('/').slice(0, 4).join('/')
}
