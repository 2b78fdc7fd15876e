import { existsSync } from 'node:fs'
import type { AgentRuntime, AgentSpec, ResolvedAgent } from '@braidwork/agent'
import { explained, maskedSpec } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import { AGENTS_FOLDER, CONFIG_NAMES, readAgentTexts } from '@braidwork/core/internal'
import type { Diagnostic } from '@braidwork/plugin'
import { agentDiagnostics, asDiagnostic } from '../agent-diagnostics.ts'
import { requestFindings } from '../agent-findings.ts'
import { jsonText, visible } from '../characters.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openRuntime } from '../open-runtime.ts'
import { type ConfigOptions, lostConfig } from '../options.ts'
import { shorten, stylesOf, table } from '../terminal.ts'

export interface AgentsOptions extends ConfigOptions {
  readonly json?: boolean
}

const LONGEST_DESCRIPTION = 80

/** `braidwork agents`: lists the agents that the config and the files beside it declare. */
export async function agentsCommand(options: AgentsOptions): Promise<number> {
  const { host, runtime, faults, diagnostics } = await openRuntime(options)
  await using _ = host
  reportDiagnostics([...diagnostics, ...faults.map(asDiagnostic)])
  const { agents } = runtime
  if (options.json)
    process.stdout.write(
      `${jsonText(
        agents.map((spec) => maskedSpec(host, spec)),
        2,
      )}\n`,
    )
  else if (agents.length > 0) process.stdout.write(listOf(agents))
  else if (faults.length === 0 && !isUnused(diagnostics)) {
    process.stderr.write(`${noAgents(options)}\n`)
  }
  return faults.length > 0 || lostConfig(diagnostics) ? EXIT.usage : EXIT.ok
}

/** Whether there is a config that is not used, because its folder is not trusted. */
function isUnused(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ code }) => code === 'FOLDER_UNTRUSTED')
}

/** Files of agents in a folder without a config are easily taken for declared ones. */
function noAgents({ config }: AgentsOptions): string {
  const isAlone = config === undefined && !CONFIG_NAMES.some((name) => existsSync(name))
  if (isAlone && readAgentTexts(AGENTS_FOLDER).length > 0) {
    return `The files in "./${AGENTS_FOLDER}" declare no agents, since no config is beside them. Write a braidwork.json, which may be {}, and trust the folder with "braidwork trust".`
  }
  return `No agent is declared; write one as "${AGENTS_FOLDER}/<id>.md" beside the config.`
}

function listOf(agents: readonly AgentSpec[]): string {
  const rows = agents.map(({ id, model_id = '', endpoint, description = '' }) => [
    id,
    endpoint?.base_url ?? model_id,
    shorten(description, LONGEST_DESCRIPTION),
  ])
  const { dim } = stylesOf(process.stdout)
  return table([['AGENT', 'MODEL', 'DESCRIPTION'], ...rows], dim)
}

/** `braidwork agents explain <id>`: prints where each part of an agent comes from, and why a tool is not there. */
export async function agentsExplainCommand(id: string, options: AgentsOptions): Promise<number> {
  const opened = await openRuntime(options)
  const { host, runtime, diagnostics } = opened
  await using _ = host
  const { endpoint } = runtime.agents.find((one) => one.id === id) ?? {}
  if (endpoint) return explainRemote(host, await runtime.plan(id), options)
  const found = [...diagnostics, ...(await agentDiagnostics(opened, id))]
  reportDiagnostics([...found, ...(await requestFindings(opened, [id], found))], true)
  const agent = await runtime.resolve(id)
  if (options.json) {
    process.stdout.write(`${jsonText(explained(host, agent), 2)}\n`)
    return EXIT.ok
  }
  const { bold, dim } = stylesOf(process.stdout)
  process.stdout.write(
    `${bold(visible(headOf(agent)))}\n${visible(retriesOf(agent))}\n${visible(stopsOf(agent))}${visible(asksOf(agent.spec))}\n`,
  )
  const models = modelRows(agent)
  if (models.length > 1) {
    process.stdout.write(`${table([['MODEL', 'PROVIDER', '', 'WHY'], ...models], dim)}\n`)
  }
  process.stdout.write(table([['PLUGIN', 'KIND', '', 'FROM', 'WHY'], ...pluginRows(agent)], dim))
  process.stdout.write(`\n${table([['TOOL', 'PLUGIN', '', 'WHY'], ...toolRows(agent)], dim)}`)
  return EXIT.ok
}

/** Of an agent that runs elsewhere, only its endpoint and what its backend can do are known here. */
function explainRemote(
  host: Host,
  { agent: spec, remote }: Awaited<ReturnType<AgentRuntime['plan']>>,
  { json }: AgentsOptions,
): number {
  const masked = maskedSpec(host, spec)
  const capabilities = Object.entries(remote?.backend.capabilities ?? {})
  if (json) {
    const shown = { spec: masked, capabilities: Object.fromEntries(capabilities) }
    process.stdout.write(`${jsonText(shown, 2)}\n`)
    return EXIT.ok
  }
  const { bold, dim } = stylesOf(process.stdout)
  const { id, endpoint } = masked
  const head = `agent ${id}, at ${endpoint?.base_url} by ${endpoint?.backend}`
  const rows = capabilities.map(([name, can]) => [name, can ? 'yes' : 'no'])
  process.stdout.write(`${bold(visible(head))}\n${table([['CAPABILITY', ''], ...rows], dim)}`)
  return EXIT.ok
}

function headOf({ spec, model, resolution, limits }: ResolvedAgent): string {
  const { provider, model: name = 'none' } = resolution
  const pool = model && model.id !== spec.model_id ? ` of the pool "${spec.model_id}"` : ''
  const from = model ? `the spec "${model.id}"${pool}` : 'the config'
  const { value, source } = limits.max_rounds
  return `agent ${spec.id}, provider ${provider}, model ${name} (${from}), at most ${value} steps (${source})`
}

function retriesOf({ retry }: ResolvedAgent): string {
  if (!retry) return "retries: the provider's own"
  const { max_retries: most, ...more } = retry
  const fields = Object.entries(more).map(([field, value]) => `, ${field} ${value}`)
  return `retries: at most ${most}, by the run (retry${fields.join('')})`
}

/** The stop conditions of the spec, on a line of their own. Empty if there are none. */
function stopsOf({ spec: { stop_conditions: conditions = [] } }: ResolvedAgent): string {
  if (conditions.length === 0) return ''
  const texts = conditions.map(({ type, ...limit }) => `${type} ${Object.values(limit).join(' ')}`)
  return `stops: ${texts.join(', ')}\n`
}

/** Whom the agent may ask: its delegates, its subagents and its team, each on a line of its own. */
function asksOf({ delegates = [], subagents, team }: AgentSpec): string {
  const members = (team?.members ?? []).map((one) =>
    typeof one === 'string' ? { agent: one } : one,
  )
  const lines = [
    ...(delegates.length > 0 ? [`asks: ${delegates.join(', ')}`] : []),
    ...(subagents ? ['asks: itself, as subagents'] : []),
    ...(team ? [`team: ${members.map((one) => memberText(one, team)).join(', ')}`] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function memberText(
  {
    agent,
    capabilities = [],
  }: { readonly agent: string; readonly capabilities?: readonly string[] },
  team: NonNullable<AgentSpec['team']>,
): string {
  const facts = [
    ...(team.leader === agent ? ['leads'] : []),
    ...(capabilities.length > 0 ? [`can do ${capabilities.join(', ')}`] : []),
    ...(team.default === agent ? ['default'] : []),
  ]
  return facts.length > 0 ? `${agent} (${facts.join('; ')})` : agent
}

/** The models of a pool, in the order in which they are tried, and then those that do not fit. */
function modelRows({ routing }: ResolvedAgent): readonly string[][] {
  const { candidates, excluded = [] } = routing
  const fitting = candidates.map(({ choice: { id = '', provider } }, at) => [
    id,
    provider,
    at === 0 ? 'first' : 'fallback',
    at === 0 ? 'the first that has what the pool requires' : 'asked when those before it fail',
  ])
  return [
    ...fitting,
    ...excluded.map(({ id = '', provider, reason }) => [id, provider, 'left out', reason]),
  ]
}

function pluginRows({ spec, resolution }: ResolvedAgent): readonly string[][] {
  const own = new Set(spec.plugin_ids)
  return resolution.trace.map(({ plugin, kind, on, rule }) => [
    plugin,
    kind,
    on ? 'on' : 'off',
    own.has(plugin) ? 'plugin_ids' : 'config',
    rule,
  ])
}

function toolRows({ tools }: ResolvedAgent): readonly string[][] {
  return tools.map(({ tool_name, plugin = '', offered, policy, reason = '' }) => [
    tool_name,
    plugin,
    offered ? policy : 'not offered',
    reason,
  ])
}
