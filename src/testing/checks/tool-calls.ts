import { type OpenedConfig, textOf } from '@braidwork/core'
import { validatorOf } from '@braidwork/core/internal'
import { findJsonFault, isObject, type ToolCallPart, type ToolResultPart } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import type { Harness } from '../harness/index.ts'
import { becomesQuiet, inTime, PATIENCE } from './cancelling.ts'
import { type Check, fault, isChange, same, unjudged } from './check.ts'
import { callsOf, type RanCall, runCalls } from './run-calls.ts'

const ABOUT = 'hooks.md#executetool'
const MANY = 20

const fits: Check = {
  name: 'has schemas that the calls of the test fit',
  about: 'testing.md#options',
  run: (harness) => {
    needsCalls(harness)
    return opened(harness, async (config) => {
      for (const { name, input } of harness.options.calls ?? []) {
        const tool = config.tools.find(
          (one) => one.plugin === harness.trial.plugin && one.ownName === name,
        )
        if (!tool) fault(`"${harness.name}" offers no tool "${name}" for its config.`)
        const wrong = (await validatorOf(tool.schema.input_schema))(input)
        if (wrong) fault(`The schema of "${name}" refuses a call: ${asSentence(wrong.message)}`)
      }
    })
  },
}

/** @throws {NotJudged} if the options have no calls */
function needsCalls({ options }: Harness): void {
  if ((options.calls ?? []).length === 0) unjudged('pass "calls" in the options, to run the tools')
}

async function opened(
  harness: Harness,
  act: (config: OpenedConfig) => Promise<void>,
): Promise<void> {
  const { host, config } = harness.trial
  const open = await host.open(config).catch((error: Error) => unjudged(error.message))
  try {
    await act(open)
  } finally {
    open.end()
  }
}

/** The calls of the options and their results, if the calls fit and no argument was changed. */
async function ranOf(harness: Harness): Promise<readonly RanCall[]> {
  needsCalls(harness)
  await Promise.resolve(fits.run(harness)).catch((error: Error) => unjudged(error.message))
  const ran = await runCalls(harness)
  const changes = harness.calls.some(({ hook, error }) => hook === 'executeTool' && isChange(error))
  return changes ? unjudged('the tool changes its arguments') : ran
}

/** Results that are no failures, for checks of their content. */
async function goodOf(harness: Harness): Promise<readonly RanCall[]> {
  const ran = await ranOf(harness)
  return ran.filter(({ result }) => result.isError !== true)
}

const answers: Check = {
  name: 'answers its tool calls',
  about: ABOUT,
  async run(harness) {
    for (const { call, result } of await ranOf(harness))
      if (result.isError)
        fault(`The call of "${call.name}" fails: ${JSON.stringify(result.output)}`)
  },
}

const answersJson: Check = {
  name: 'answers with results that a message can contain',
  about: ABOUT,
  async run(harness) {
    await ranOf(harness)
    const answered = harness.calls.filter(({ hook }) => hook === 'executeTool')
    for (const { answer } of answered.filter((call) => !isIterable(call.answer))) {
      const found = findJsonFault(answer ?? null)
      if (found) fault(`A result has at "${found.pointer}" what is no JSON: ${found.reason}.`)
    }
  },
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

const answersSchema: Check = {
  name: 'answers as its output schemas say',
  about: ABOUT,
  run: (harness) =>
    opened(harness, async ({ tools }) => {
      for (const { call, result } of await goodOf(harness)) {
        const schema = tools.find(({ name }) => name === call.name)?.schema.output_schema
        if (!schema) continue
        const wrong = (await validatorOf(schema))(result.output)
        if (wrong) fault(`The result of "${call.name}" is another: ${asSentence(wrong.message)}`)
      }
    }),
}

const answersSomething: Check = {
  name: 'answers its tool calls with something',
  about: ABOUT,
  async run(harness) {
    for (const { call, result } of await goodOf(harness))
      if (result.output === undefined || result.output === '')
        fault(`The result of "${call.name}" is empty. Say in words that it is done.`)
  },
}

/** What a result says, without what may differ between two calls. */
function outputOf({ output, isError }: ToolResultPart) {
  return { output, isError: isError === true }
}

const together: Check = {
  name: `keeps ${MANY} calls at once apart`,
  about: 'testing.md#requests-at-once',
  async run(harness) {
    const alone = (await goodOf(harness)).filter(({ call }) => isRepeatable(harness, call))
    if (alone.length === 0) return unjudged('no tool of the calls is marked "is_idempotent"')
    await opened(harness, async (config) => {
      const calls = Array.from({ length: MANY }, (_, at) => alone[at % alone.length]).filter(
        isThere,
      )
      const results = await Promise.all(calls.map(({ call }) => config.execute(call)))
      same(
        results.map(outputOf),
        calls.map(({ result }) => outputOf(result)),
        'Calls at once end otherwise than alone. Keep no values of a call outside of it.',
      )
    })
  },
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined
}

const again: Check = {
  name: 'answers a call that only reads the same each time',
  about: ABOUT,
  async run(harness) {
    const first = (await goodOf(harness)).filter(({ call }) => isRepeatable(harness, call))
    const second = (await goodOf(harness)).filter(({ call }) => isRepeatable(harness, call))
    same(
      second.map(({ result }) => outputOf(result)),
      first.map(({ result }) => outputOf(result)),
      'The same call has another result the second time.',
    )
  },
}

/** Whether the tool of a call says that it may run twice, and at the same time as others. */
function isRepeatable(harness: Harness, { name }: ToolCallPart): boolean {
  const schemas = harness.calls.findLast(({ hook }) => hook === 'getToolSchemas')?.answer
  const own = Array.isArray(schemas) ? schemas.filter(isObject) : []
  const { safety } = own.find((schema) => schema['name'] === name) ?? {}
  return isObject(safety) && safety['is_idempotent'] === true
}

const unknownTool: Check = {
  name: 'answers a call that does not fit with an error',
  about: ABOUT,
  run: (harness) =>
    opened(harness, async (config) => {
      const [call] = callsOf(harness, config)
      if (!call) return needsCalls(harness)
      const result = await config.execute({ ...call, input: { braidwork_unknown: [1] } })
      const tool = config.toolNamed(call.name)
      const wrong =
        tool && (await validatorOf(tool.schema.input_schema))({ braidwork_unknown: [1] })
      if (wrong && !result.isError) fault('A call runs whose arguments its schema refuses.')
    }),
}

const cancels: Check = {
  name: 'ends a tool call that is cancelled',
  about: 'testing.md#cancelling',
  run: (harness) =>
    opened(harness, async (config) => {
      for (const call of callsOf(harness, config)) {
        const controller = new AbortController()
        const end = config.execute(call, { signal: controller.signal })
        setImmediate(() => controller.abort('cancelled by the check'))
        await inTime(end, PATIENCE)
        await becomesQuiet(harness, `the call of "${call.name}" was cancelled`)
      }
    }),
}

const afterCancel: Check = {
  name: 'answers calls after a cancelled one',
  about: 'testing.md#cancelling',
  async run(harness) {
    const before = await goodOf(harness)
    await opened(harness, async (config) => {
      for (const call of callsOf(harness, config))
        await config.execute(call, { signal: AbortSignal.abort('cancelled by the check') })
    })
    const after = await goodOf(harness)
    if (after.length < before.length) fault('A call fails after another one was cancelled.')
  },
}

const asHistory: Check = {
  name: 'has results that the next request can carry',
  about: ABOUT,
  async run(harness) {
    const ran = await goodOf(harness)
    if (ran.length === 0) return
    const { status, error, messages } = await harness.again('stream', {
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'Use the tools.' }] },
        { role: 'assistant', parts: ran.map(({ call }) => call) },
        { role: 'tool', parts: ran.map(({ result }) => result) },
      ],
    })
    if (status !== 'done') fault(`The next request ${status}: ${error?.message}`)
    if (messages.map(textOf).join('') === '') unjudged('the provider says nothing')
  },
}

export const TOOL_CALLS: readonly Check[] = [
  fits,
  answers,
  answersJson,
  answersSchema,
  answersSomething,
  together,
  again,
  unknownTool,
  cancels,
  afterCancel,
  asHistory,
]
