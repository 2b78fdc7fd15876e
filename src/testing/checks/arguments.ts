import { HOOKS, type HookName, type Kind } from '@braidwork/plugin'
import type { Harness } from '../harness/index.ts'
import { HISTORIES, LOOKUP } from '../harness/index.ts'
import { type Check, fault, isChange, needsHook } from './check.ts'
import { runCalls } from './run-calls.ts'
import { isOfRun } from './run-hooks.ts'

/** Hooks that other checks run, that no check runs, or that get nothing that could be changed. */
const NOT_RUN: ReadonlySet<string> = new Set([
  'refreshModels',
  'runAction',
  'close',
  'embed',
  'toolGate',
  'editToolCall',
  'editToolResult',
])

/** A check for each hook of a kind: it leaves its arguments as they are. They are frozen recursively. */
export function leavesArguments(kind: Kind): readonly Check[] {
  const hooks = Object.keys(HOOKS) as HookName[]
  return hooks
    .filter((hook) => HOOKS[hook].kinds.some((of) => of === kind))
    .filter((hook) => !NOT_RUN.has(hook) && !isOfRun(hook))
    .map((hook) => ({
      name: `leaves the arguments of ${hook} as they are`,
      about: `hooks.md#${hook.toLowerCase()}`,
      async run(harness) {
        needsHook(harness, hook)
        await useAll(harness)
        const changing = harness.calls.find((call) => call.hook === hook && isChange(call.error))
        if (changing)
          fault(`"${hook}" changes an argument; return a new value. ${String(changing.error)}`)
      },
    }))
}

/** Runs the hooks of requests, forms and tools. What fails is reported by other checks. */
async function useAll(harness: Harness): Promise<void> {
  const { host, config } = harness.trial
  await host.uiSchema(config).catch(() => undefined)
  await harness.ask('send')
  await harness.ask('stream')
  await harness.ask('stream', { messages: HISTORIES['calls'] ?? '', tools: [LOOKUP] })
  await runCalls(harness).catch(() => undefined)
}
