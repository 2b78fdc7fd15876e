import { objectsIn, textIn, without } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type ToolResultPart } from '@braidwork/plugin'

/** How a kind of call item is converted to a tool call. */
export interface CallKind {
  readonly name: string
  /** The id field that the call's result refers to. */
  readonly idKey: 'id' | 'call_id'
  readonly isProviderRun: boolean
  /** The field with the arguments as text, if there is one: JSON in `arguments`, plain text in `input`. */
  readonly argumentsKey?: 'arguments' | 'input'
  /** Whether the call is shown before it is complete: while its arguments arrive, or while it runs. */
  readonly isShownEarly: boolean
  input(item: JsonObject): unknown
  /** Reads the result of a call that the API executed, if the same item contains it. */
  readonly output?: (item: JsonObject) => unknown
}

const hosted = (name: string, input: CallKind['input'], output: CallKind['output']): CallKind => ({
  name,
  idKey: 'id',
  isProviderRun: true,
  isShownEarly: true,
  input,
  ...(output ? { output } : {}),
})

const ofHost = (name: string, input: CallKind['input']): CallKind => ({
  name,
  idKey: 'call_id',
  isProviderRun: false,
  isShownEarly: false,
  input,
})

const pick = (item: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys
      .filter((key) => item[key] !== undefined && item[key] !== null)
      .map((key) => [key, item[key]]),
  )

const action = (item: JsonObject): JsonObject => (isObject(item['action']) ? item['action'] : {})

const nameIn = (item: JsonObject): string => textIn(item['name']) ?? 'unnamed'

type KindOf = (item: JsonObject, tools: unknown) => CallKind

const KINDS = new Map<unknown, KindOf>([
  [
    'function_call',
    (item) => ({
      ...ofHost(nameIn(item), () => ({})),
      argumentsKey: 'arguments',
      isShownEarly: true,
    }),
  ],
  [
    'custom_tool_call',
    (item, tools) => ({
      ...ofHost(nameIn(item), () => ''),
      argumentsKey: 'input',
      isShownEarly: true,
      isProviderRun: isOfApi(tools),
    }),
  ],
  [
    'mcp_call',
    (item) => ({
      ...hosted(
        `mcp.${nameIn(item)}`,
        () => ({}),
        (done) => done['output'] ?? done['error'] ?? '',
      ),
      argumentsKey: 'arguments',
    }),
  ],
  [
    // The user's decision is returned as a tool result with the output `{approve}`.
    'mcp_approval_request',
    (item) => ({
      ...hosted(`mcp.${nameIn(item)}`, () => ({}), undefined),
      argumentsKey: 'arguments',
      isShownEarly: false,
    }),
  ],
  [
    'web_search_call',
    () =>
      hosted(
        'web_search',
        (item) => without(action(item), 'sources'),
        (item) => pick({ ...item, ...pick(action(item), 'sources') }, 'status', 'sources'),
      ),
  ],
  [
    'file_search_call',
    () =>
      hosted(
        'file_search',
        (item) => pick(item, 'queries'),
        (item) => pick(item, 'status', 'results'),
      ),
  ],
  [
    'code_interpreter_call',
    () =>
      hosted(
        'code_interpreter',
        (item) => pick(item, 'code', 'container_id'),
        (item) => pick(item, 'status', 'outputs'),
      ),
  ],
  [
    'image_generation_call',
    () =>
      hosted(
        'image_generation',
        (item) => pick(item, 'prompt'),
        (item) => pick(item, 'status', 'revised_prompt', 'size', 'quality', 'background'),
      ),
  ],
  ['program', () => ({ ...ofHost('program', (item) => pick(item, 'code')), isProviderRun: true })],
  [
    'shell_call',
    (item, tools) => ({
      ...ofHost('shell', action),
      isProviderRun: isContainer(item['environment'] ?? shellIn(tools)['environment']),
    }),
  ],
  ['local_shell_call', () => ofHost('local_shell', action)],
  ['apply_patch_call', () => ofHost('apply_patch', (item) => item['operation'] ?? {})],
  [
    'tool_search_call',
    (item) => ({
      ...ofHost('tool_search', (call) => call['arguments'] ?? {}),
      isProviderRun: item['execution'] !== 'client',
    }),
  ],
  [
    'computer_call',
    () => ofHost('computer', (item) => pick(item, 'action', 'actions', 'pending_safety_checks')),
  ],
])

/** The kind of a call item; `undefined` if the item is not a call. */
export function callKindOf(item: JsonObject, tools: unknown): CallKind | undefined {
  return KINDS.get(item['type'])?.(item, tools)
}

/** Items that are only results: the name of the call, and the field with the output. */
const RESULTS: ReadonlyMap<unknown, { readonly name: string; readonly field: string }> = new Map([
  ['shell_call_output', { name: 'shell', field: 'output' }],
  ['tool_search_output', { name: 'tool_search', field: 'tools' }],
  ['program_output', { name: 'program', field: 'result' }],
])

/** Converts a result item; `undefined` if the item is not a result. */
export function resultOf(item: JsonObject): ToolResultPart | undefined {
  const known = RESULTS.get(item['type'])
  if (!known) return undefined
  const { name, field } = known
  const callId = textIn(item['call_id']) ?? textIn(item['id']) ?? name
  return { type: 'tool-result', callId, name, output: item[field] ?? null, providerExecuted: true }
}

/** The offered shell tool. It contains the environment, which a call may omit. */
function shellIn(tools: unknown): JsonObject {
  return objectsIn(tools).find((tool) => tool['type'] === 'shell') ?? {}
}

function isContainer(environment: unknown): boolean {
  return isObject(environment) && String(environment['type']).startsWith('container')
}

const CUSTOM = new Set<unknown>(['custom', 'namespace', 'tool_search'])

/**
 * Whether a custom call was made by the API itself: true if no custom tool was offered. xAI reports searches this way.
 */
function isOfApi(tools: unknown): boolean {
  const offered = objectsIn(tools)
  return offered.length > 0 && !offered.some((tool) => CUSTOM.has(tool['type']))
}
