import { validatorOf } from '@braidwork/core/internal'
import { HOOKS, isObject, RUN_PHASES } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { faultOfRun } from '../feature-run.ts'
import { type Harness, LOOKUP } from '../harness/index.ts'
import { isScripted } from './answers.ts'
import { type Check, done, fault, isChange, NotJudged, needsHook } from './check.ts'

type Hook = (...args: unknown[]) => unknown

const MERGES = ['exclusive', 'sum', 'append', 'assign']

function declared({ trial }: Harness, name: string): unknown {
  const value = trial.plugin[name]
  return typeof value === 'function' ? (value as Hook)() : value
}

const sections: Check = {
  name: 'claims sections whose schemas compile',
  about: 'agents.md#features-in-a-run',
  async run(harness) {
    const claimed = await declared(harness, 'sections')
    for (const [name, schema] of Object.entries(isObject(claimed) ? claimed : {})) {
      if (!isObject(schema)) fault(`The section "${name}" has no schema.`)
      await validatorOf(schema).catch((error: unknown) =>
        fault(`The schema of the section "${name}" does not compile: ${messageOf(error)}`),
      )
    }
  },
}

const stateKeys: Check = {
  name: 'has state keys that can be merged',
  about: 'hooks.md#values',
  async run(harness) {
    const keys = await declared(harness, 'stateKeys')
    for (const [name, key] of Object.entries(isObject(keys) ? keys : {})) {
      const { merge: rule = 'exclusive', initial } = isObject(key) ? key : {}
      const merge = String(rule)
      if (!MERGES.includes(merge)) fault(`"${name}" has the unknown merge rule "${merge}".`)
      if (!fitsMerge(merge, initial))
        fault(`"${name}" starts as ${JSON.stringify(initial)}, which "${merge}" cannot merge.`)
    }
  },
}

function fitsMerge(merge: string, initial: unknown): boolean {
  if (merge === 'sum') return typeof initial === 'number'
  if (merge === 'append') return Array.isArray(initial)
  return merge === 'assign' ? isObject(initial) : initial !== undefined
}

const handles = (values: 'actions' | 'effects', hook: 'handleAction' | 'handleEffect'): Check => ({
  name: `can handle the ${values} that it has`,
  about: `hooks.md#${hook.toLowerCase()}`,
  async run(harness) {
    const keys = await declared(harness, values)
    if (Array.isArray(keys) && keys.length > 0 && !harness.has(hook))
      fault(`"${values}" lists ${keys.join(', ')}, but the plugin has no "${hook}".`)
  },
})

const SAFETY = { is_read_only: true, is_concurrency_safe: true }
const RUN = {
  phase: RUN_PHASES[0],
  step: 1,
  state: {},
  sections: {},
  usage: { input: 1, output: 1 },
}
const CALL = {
  callId: 'call-1',
  name: 'braidwork_lookup',
  input: { tea_name: 'Assam' },
  safety: SAFETY,
  policy: { decision: 'allow', rule: 'default' },
}

/** What a hook for runs answers when it is asked about a harmless call. @throws {NotJudged} if the plugin does not have it */
async function answerOf(harness: Harness, hook: string): Promise<unknown> {
  needsHook(harness, hook)
  const { host, config } = harness.trial
  const opened = await host.open(config)
  try {
    const [own] = opened.features().with(hook as 'toolGate')
    const isOfResult = hook === 'editToolResult'
    const about = hook === 'toolGate' ? { ...CALL, run: RUN } : CALL
    return await (isOfResult
      ? own?.ask(CALL, { output: 'malty', isError: false })
      : own?.ask(about))
  } finally {
    opened.end()
  }
}

function judges(hook: string, name: string, judge: (answer: object) => string | undefined): Check {
  return {
    name,
    about: `hooks.md#${hook.toLowerCase()}`,
    async run(harness) {
      const answer = await answerOf(harness, hook).catch((error: unknown) => {
        if (error instanceof NotJudged) throw error
        return isChange(error) ? undefined : fault(`"${hook}" fails: ${messageOf(error)}`)
      })
      const wrong = isObject(answer) ? judge(answer) : undefined
      if (wrong !== undefined) fault(`"${hook}" answers with ${JSON.stringify(answer)}. ${wrong}`)
    },
  }
}

const leaves = (hook: string): Check => ({
  name: `leaves the arguments of ${hook} as they are`,
  about: `hooks.md#${hook.toLowerCase()}`,
  async run(harness) {
    await answerOf(harness, hook).catch((error: unknown) => {
      if (error instanceof NotJudged) throw error
      if (isChange(error)) fault(`"${hook}" changes an argument: ${messageOf(error)}`)
    })
  },
})

/** The calls of hooks in a run in which the model calls tools once, and what failed there. */
async function ranWith(harness: Harness) {
  const from = harness.calls.length
  const tools = [{ ...LOOKUP, safety: SAFETY, execute: () => 'malty' }]
  const fault = await faultOfRun(
    harness.trial,
    tools,
    harness.configFor(isScripted(harness) ? { answer: 'run' } : {}),
  )
  return { fault, calls: harness.calls.slice(from).filter(({ hook }) => isOfRun(hook)) }
}

/** Whether only a run of an agent calls a hook. */
export function isOfRun(hook: string): boolean {
  const { args = '' } =
    (HOOKS as { readonly [name: string]: { readonly args: unknown } })[hook] ?? {}
  return typeof args === 'string' && args.split(', ').at(-1) === 'run'
}

const takesPart: Check = {
  name: 'takes part in a run of an agent',
  about: 'agents.md#features-in-a-run',
  async run(harness) {
    done(await harness.ask('stream'))
    const { fault: failed, calls } = await ranWith(harness)
    // The next check reports a change.
    if (failed !== undefined && !calls.some(({ error }) => isChange(error))) fault(failed)
  },
}

const leavesRun: Check = {
  name: 'leaves the arguments of the hooks of a run as they are',
  about: 'agents.md#features-in-a-run',
  async run(harness) {
    done(await harness.ask('stream'))
    const { calls } = await ranWith(harness)
    const changing = calls.find(({ error }) => isChange(error))
    if (changing) fault(`"${changing.hook}" changes an argument: ${messageOf(changing.error)}`)
  },
}

export const RUN_HOOKS_OF_FEATURES: readonly Check[] = [
  sections,
  stateKeys,
  handles('actions', 'handleAction'),
  handles('effects', 'handleEffect'),
  judges('toolGate', 'judges calls with a verdict that exists', (answer) =>
    ['block', 'suspend', 'result'].some((verdict) => verdict in answer)
      ? undefined
      : 'A verdict has "block", "suspend" or "result".',
  ),
  judges('editToolCall', 'edits calls with arguments and a reason', (answer) =>
    'input' in answer && 'reason' in answer ? undefined : 'An edit has "input" and "reason".',
  ),
  judges('editToolResult', 'edits results with an output and a reason', (answer) =>
    'output' in answer && 'reason' in answer ? undefined : 'An edit has "output" and "reason".',
  ),
  ...['toolGate', 'editToolCall', 'editToolResult'].map(leaves),
  takesPart,
  leavesRun,
]
