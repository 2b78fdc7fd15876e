import type { Storage, StoredRun } from '@braidwork/agent'
import { type ExplainedCall, explainRun, type RunExplanation } from '@braidwork/agent/internal'
import { type ContextItem, HostError, type ModelChoice, type RunEvent } from '@braidwork/plugin'
import { LOCAL } from '@braidwork/server'
import { PROTOCOLS, replayed } from '@braidwork/server/internal'
import { jsonText, visible } from '../characters.ts'
import { EXIT } from '../exit.ts'
import type { ConfigOptions } from '../options.ts'
import { withStorage } from '../server-store.ts'

export interface RunExplainOptions extends ConfigOptions {
  readonly owner?: string
  readonly json?: boolean
}

export interface RunReplayOptions extends ConfigOptions {
  readonly owner?: string
  readonly protocol?: string
}

/** The words for what became of a part of the context. */
const STATUSES = {
  included: 'context in:',
  shortened: 'context in, shortened:',
  left_out: 'context left out:',
  missing: 'context missing:',
} as const

/** How many events are read at once. */
const PAGE = 1000

/** `braidwork runs explain`: says from stored events alone why a run did what it did. LR-18 */
export async function runsExplainCommand(
  id: string,
  { owner = LOCAL.id, json, ...options }: RunExplainOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    const { run, events } = await storedRun(storage, owner, id)
    const explanation = explainRun(run, events)
    process.stdout.write(json ? `${jsonText(explanation, 2)}\n` : `${textOf(explanation)}\n`)
    return EXIT.ok
  })
}

/** `braidwork runs replay`: prints the events of a run, or what a client of a protocol would read. LR-18 */
export async function runsReplayCommand(
  id: string,
  { owner = LOCAL.id, protocol, ...options }: RunReplayOptions,
): Promise<number> {
  assertProtocol(protocol)
  return withStorage(options, async (storage) => {
    const { run, events } = await storedRun(storage, owner, id)
    const lines =
      protocol === undefined
        ? events.map((event) => `${jsonText(event)}\n`)
        : replayed(run, events, protocol)
    for (const line of lines) process.stdout.write(line)
    return EXIT.ok
  })
}

/** @throws {HostError} OPTION_INVALID */
function assertProtocol(protocol: string | undefined): void {
  if (protocol === undefined || PROTOCOLS.some((name) => name === protocol)) return
  const message = `--protocol must be one of ${PROTOCOLS.join(', ')}, not "${protocol}".`
  throw new HostError('OPTION_INVALID', message)
}

/** @throws {HostError} RUN_UNKNOWN */
async function storedRun(storage: Storage, owner: string, id: string) {
  const run = await findRun(storage, owner, id)
  return { run, events: await allEvents(storage, run) }
}

/** @throws {HostError} RUN_UNKNOWN */
export async function findRun({ runs }: Storage, owner: string, id: string): Promise<StoredRun> {
  const run = await runs.load(owner, id)
  if (run) return run
  throw new HostError(
    'RUN_UNKNOWN',
    `"${owner}" has no run "${id.slice(0, 100)}". The owner of a run is the caller who began it: name it with --owner.`,
  )
}

async function allEvents(
  { runs }: Storage,
  { owner, id }: StoredRun,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for (;;) {
    const after = events.at(-1)?.seq ?? -1
    const page = await runs.events(owner, id, { after, limit: PAGE })
    events.push(...page)
    if (page.length < PAGE) return events
  }
}

function textOf(explanation: RunExplanation): string {
  return [
    headOf(explanation),
    ...modelLines(explanation),
    ...toolLines(explanation),
    ...explanation.steps.flatMap(({ step, usage, finishReason, context, calls }) => [
      `step ${step}: ${usageText(usage)}${finishReason ? `, ${finishReason}` : ', no answer'}`,
      ...context.map((item) => `  ${contextText(item)}`),
      ...calls.map((call) => `  ${callText(call)}`),
    ]),
    endOf(explanation),
    ...explanation.compactions.map(compactionText),
  ]
    .map(visible)
    .join('\n')
}

function headOf({ run, agent }: RunExplanation): string {
  const { id, status, conversationId, startedAt } = run
  const by = agent === undefined ? '' : ` of ${agent}`
  const place = conversationId === undefined ? '' : ` in conversation ${conversationId}`
  return `run ${id}${by}${place}, ${new Date(startedAt).toISOString()}: ${status}`
}

function modelLines({ models, failures }: RunExplanation): readonly string[] {
  return [
    ...models.flatMap(({ chosen, reason, excluded }) => [
      `model ${modelText(chosen)}: ${reason}`,
      ...excluded.map((one) => `  not ${modelText(one)}: ${one.reason}`),
    ]),
    ...failures.map(
      ({ step, model, error, next, reason }) =>
        `step ${step}: ${modelText(model)} failed with ${error.code}, then ${next}: ${reason}`,
    ),
  ]
}

function modelText({ id, provider, model }: ModelChoice): string {
  const name = model === undefined ? provider : `${provider} ${model}`
  return id === undefined ? name : `${id} (${name})`
}

function toolLines({ tools }: RunExplanation): readonly string[] {
  if (tools.length === 0) return ['no tools']
  const offered = tools.filter((tool) => tool.offered).map(({ tool_name: name }) => name)
  const withheld = tools.filter((tool) => !tool.offered)
  return [
    `tools offered: ${offered.join(', ') || 'none'}`,
    ...withheld.map(({ tool_name: name, reason = 'no reason told' }) => `  not ${name}: ${reason}`),
  ]
}

function usageText({ input, output }: RunExplanation['usage']): string {
  return `${input ?? 'unknown'} tokens in, ${output ?? 'unknown'} out`
}

function contextText({ kind, ref, status = 'included', reason, plugin }: ContextItem): string {
  const by = plugin === undefined ? '' : ` by ${plugin}`
  return `${STATUSES[status]} ${kind} ${ref}${by}${reason === undefined ? '' : `: ${reason}`}`
}

function callText(call: ExplainedCall): string {
  const { name, input, policy, approval, state, error, hooks, usage } = call
  const parts = [
    ...(policy ? [`${policy.decision} (${policy.reason})`] : []),
    ...(approval ? [approval] : []),
    ...hooks.map(({ plugin, hook, reason }) => `${plugin} ${hook}: ${reason}`),
    ...(state ? [error ? `${state} (${error.class})` : state] : ['no result']),
    ...(usage ? [usageText(usage)] : []),
  ]
  return `${name}(${jsonText(input ?? {})}): ${parts.join('; ')}`
}

function endOf({ termination, error, usage }: RunExplanation): string {
  const why = termination ? reasonOf(termination) : 'it has not ended'
  const failed = error ? ` ${error.code}: ${error.message}` : ''
  return `ended: ${why}.${failed} ${usageText(usage)} in all`
}

const WHY = {
  manual: 'asked for',
  threshold: 'by the threshold of the agent',
  provider: 'by the model API',
} as const

function compactionText({ trigger, done, error }: RunExplanation['compactions'][number]): string {
  const head = `compaction, ${WHY[trigger]}:`
  if (error) return `${head} failed with ${error.code}: ${error.message}`
  if (!done) return `${head} interrupted`
  const { replaced, tokens, preview } = done
  if (!tokens) return `${head} a summary took the place of what came before: ${preview}`
  return `${head} a summary took the place of ${replaced} messages, ${tokens.after} tokens for ${tokens.before}: ${preview}`
}

function reasonOf(termination: NonNullable<RunExplanation['termination']>): string {
  const { reason } = termination
  return 'detail' in termination ? `${reason}, ${termination.detail.replace(/\.$/, '')}` : reason
}
