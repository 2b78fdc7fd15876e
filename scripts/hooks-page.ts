import { join } from 'node:path'
import { DEFAULT_LIMITS } from '../src/plugin/config.ts'
import type { Hook } from '../src/plugin/hook.ts'
import { HOOKS } from '../src/plugin/hooks.ts'
import { KINDS, type Kind } from '../src/plugin/kinds.ts'
import { type PluginValue, VALUES } from '../src/plugin/values.ts'

export const HOOKS_PATH = join(import.meta.dirname, '..', 'docs', 'hooks.md')

/** The name of each kind of hook result on the page. */
const ANSWERS: { readonly [A in Hook['answer']]: string } = {
  any: 'anything',
  chunks: 'async iterable of chunks',
  finals: '`[finals, native, state]`',
  ids: 'list of ids',
  list: 'list',
  native: 'native',
  'native-state': '`[native, state]`',
  object: 'object',
  step: '`[partials, finals, native, state]`',
  verdict: 'true, false, or no verdict',
}

const FLOWS: { readonly [F in Hook['flow']]: (kinds: Hook['kinds']) => string } = {
  each: () => 'The host calls each plugin separately.',
  fold: (kinds) =>
    `Each plugin receives the result of the previous one, in this order: ${inOrder(kinds)}.`,
  one: () => 'The host calls one plugin.',
}

/** The kinds in their order, as words for a sentence. There is one provider, and tools are called independently. */
function inOrder(kinds: Hook['kinds']): string {
  const sharing = kinds.filter((kind) => kind !== 'tool')
  return sharing.map((kind) => (kind === 'provider' ? kind : `${kind}s`)).join(', ')
}

const INTRO = `<!-- Made by "npm run docs" from src/plugin/hooks.ts; do not edit by hand. -->
# Hooks
A plugin is a plain object with \`kind\`, \`name\` and any of these hooks:

- The host skips a hook that a plugin does not have. A hook may return its result or a promise of it.
- In each hook the provider runs first, then extensions, then features; plugins of one kind run in registration order.
- Hooks of a request receive [\`context\`](#the-context) as their last argument.
- A hook must not change its arguments, because others use the same objects, for example the caller's messages. It
  returns new values instead.

Step by step: [a provider](write-a-provider.md), [an extension](write-an-extension.md), [a feature](write-a-feature.md),
[a tool](write-a-tool.md). [python.md](python.md) says what is special in Python.
`

const CONTEXT = `## The context
| member | value |
| --- | --- |
| \`signal\` | an \`AbortSignal\`. Pass it to every function that does I/O. It aborts when the request or run is cancelled, when the hook exceeds its time limit, and when the host closes |
| \`phase\` | \`resolve\`, \`prepare\`, \`partials\` while chunks stream, \`finals\` after the answer, \`tools\`, \`settings\` |
| \`config\` | the config, in which secrets of other plugins are \`{"$secret": true}\` |
| \`settings\` | the plugin's own settings, with the defaults of its \`configSchema\`. If that is a schema of a library, they are what the library returns. In TypeScript, \`SettingsOf<typeof SCHEMA>\` is their type, and \`defineExtension({ configSchema, … })\` and its like give it to the hooks. In Python, a dataclass or a model of pydantic gives an object of that class |
| \`tags\`, \`modelInfo\` | the provided tags; the known facts about the model |
| \`local\` | a \`Map\` for values of this plugin and request |
| \`storage\` | values of the plugin for the conversation, which outlive the request |
| \`protectedFiles()\` | the real paths of the files that decide which code the host runs. One that ends with a separator stands for all files of that folder. A tool that writes files must leave them alone. Only TypeScript plugins have it, and only if the host has protected files |
| \`report({ kind, ref, status?, reason? })\` | tells what the plugin puts into the request beside what was said, or leaves out. \`kind\` is instructions, memory, knowledge, file, document, resource, policy, session or history; \`ref\` is a path, an id or an address for people, never a text of it; \`status\` is included (default), shortened, left_out or missing. The events of a run keep it. It works until the request is sent |
| \`warn(message)\` | adds a sentence to \`warnings\` of the result |
| \`emit(event)\` | sends an event at once to the caller that reads the stream. The event is not part of the final messages |
| \`log({ level, message, … })\` | writes a line to the log of the program |
| \`requestId\`, \`conversationId\`, \`runId\` | ids of this request, where they exist |
| \`caller\` | who asks: \`{id, role?, scope?, data?}\`, as the server or the program has identified them; absent if the program names none. No client can set it |
`

const HEADERS = `## Headers
\`init\` and \`initializeRequest\` add headers to the request by \`requestHeaders\` of the state, an object of texts by name in lower case. Keep those that are there already: \`{ ...state, requestHeaders: { ...state.requestHeaders, traceparent } }\`. Later hooks read the headers of the response in \`state.responseHeaders\`, without cookies: \`processChunk\` from the first chunk on, and \`finalize\`. The names are the same in Python. The shipped providers \`openai\`, \`openai-compatible\` and \`anthropic\` send and note them. A header that may carry a key, such as \`authorization\` or \`x-api-key\`, that belongs to the connection, or that has a line break ends the request with \`REQUEST_HEADER_REFUSED\`.
`

const TOOLS = `## Tools
\`getToolSchemas\` returns a list of tools such as this one:
\`\`\`json
{
  "name": "convert",
  "description": "Converts an amount of money.",
  "input_schema": {
    "type": "object",
    "properties": { "amount": { "type": "number" } },
    "required": ["amount"]
  },
  "safety": { "is_read_only": true, "is_concurrency_safe": true }
}
\`\`\`
\`input_schema\` is a JSON Schema (2020-12) of an object. Only the host reads \`safety\`, and a missing flag counts as unsafe:

| flag | meaning |
| --- | --- |
| \`is_read_only\` | The tool changes nothing. Its calls run without waiting until their record is stored. |
| \`is_concurrency_safe\` | Neighboring calls run in parallel. |
| \`is_destructive\` | The tool can destroy something. The host only shows it, in the list of tools and in the record of a call. |
| \`interrupt_behavior\` | \`cancel\`: a call that is cancelled has no effect afterwards. \`block\`, the default: it may go on, and what it still returns is recorded as interrupted. Either way, cancelling ends the run at once. |
| \`is_idempotent\` | The same call may run twice with the effect of once. A run that goes on after its process ended (\`on_interrupt: resume\`) repeats such a call if it had begun. |
| \`asks_user\` | A call is a question to a person, with the arguments \`{question, options?, schema?}\`. It never runs: the run waits, and the answer is the result \`{answer}\` of the call. |
| \`capabilities\` | What a call touches, for the list of tools: \`read\`, \`write\`, \`network\`, \`browser\`, \`filesystem\`, \`shell\`, \`artifact\`, \`custom\`. |

\`executeTool\` receives the call, \`{ callId, name, input }\`. The host has already validated \`input\` against the schema. The result is one of these:

- a text,
- a list of message parts,
- \`{ output, isError?, artifacts?, evidence?, native? }\`,
- any other JSON value, which becomes the output. A value with \`toJSON\`, such as a \`Date\`, counts as what that returns, and an instance of a class as its fields.

\`artifacts\` lists what the call made or changed and what remains after the run, each as \`{ uri, title?, mediaType?, size? }\`. \`evidence\` is a list of texts: the addresses or ids of the sources on which the output rests. A result has at most 100 of each, and each text in them has at most 4,096 characters; otherwise the whole object is the output, and a warning says why. The model is not shown them. They are in the event of the call's end, in the stored result, and in the metadata of a result for clients of AI SDK (6 and 7), AG-UI and Responses, without addresses that a page must not follow. \`native\` has forms of the output by the names of providers, such as \`{openai: …}\`: such a provider gets \`{native, output}\`, and all others get \`output\`.

An exception becomes an error result for the model, and a line of the log with \`plugin\`, \`tool\` and \`place\`: the file and line of the plugin. Its class, which programs and logs read, follows from the \`code\` of the exception: \`RATE_LIMITED\` and \`OVERLOADED\` become \`rate_limited\`, a refused or unknown address \`dependency_unavailable\`, \`RESULT_TOO_LARGE\` becomes \`result_too_large\`, any other code \`execution_failed\`. \`retryable\` and \`retryAfter\` (seconds) of the exception are kept.

In a run of an agent, the call of a plugin in TypeScript has \`askModel({ messages, maxOutputTokens, model?, temperature?, stop? })\`. It asks the model of the run for a text and resolves to \`{ parts, model, finishReason, usage }\`. The model gets these messages and nothing else, its usage counts for the run, and its time for \`limits.execute_tool\`. A call may ask 64 times.

To report progress, make \`executeTool\` an async generator. Each yielded value becomes an event \`tool-execution-progress\` at once, and the last one is also the result. The return value is ignored. Each yielded value restarts \`limits.execute_tool\`.

## Features that watch tool calls
A feature may change, judge and rewrite every call of a run, whoever offers the tool. The hooks receive the call as \`{ callId, name, plugin?, input, safety, policy }\`: \`name\` is the name that the model uses, \`input\` the arguments with which the call would run. The call of \`toolGate\` also has \`run\`: what the hooks of the phases receive, with the values of the state keys and the sections of the feature ([agents.md](agents.md#features-in-a-run)).
\`\`\`js
export default {
  kind: 'feature',
  name: 'careful',
  editToolCall: ({ name, input }) =>
    name === 'remove' ? { input: { ...input, dry: true }, reason: 'Try first.' } : undefined,
  toolGate: ({ safety }) =>
    safety.is_destructive ? { suspend: 'It can destroy something.' } : undefined,
  editToolResult: (call, { output }) => ({ output: mask(output), reason: 'Addresses are masked.' }),
}
\`\`\`
They run in this order:

1. \`editToolCall\` of each feature, with the arguments as the feature before left them. The host validates new arguments; if they are not valid, the call is blocked.
2. \`toolGate\` of each feature. \`{ block: reason }\` refuses the call, and the model reads the reason. \`{ suspend: reason }\` asks a person. \`{ result, reason }\` answers the call without running it. The first of these is the strictest. The policy of the config counts too: what it denies stays denied, and a call that it asks about is asked about, whatever a gate says. Gates are asked again after a person's approval, so they should have no effects.
3. The call runs.
4. \`editToolResult\` of each feature. Without a usable answer, the model gets no result.

A hook that throws blocks the call, with the class \`hook_blocked\`. The events of the call have \`hooks\`, a list of what each feature did and why; \`input\` of \`tool-execution-start\` and the history stay as the model wrote them.
`

/** The text of docs/hooks.md. */
export function hooksPage(): string {
  const hooks: [string, Hook][] = Object.entries(HOOKS)
  const values: [string, PluginValue][] = Object.entries(VALUES)
  return [
    INTRO,
    table(
      ['hook', ...KINDS, 'result'],
      hooks.map(([name, { kinds, answer }]) => [
        `[\`${name}\`](#${name.toLowerCase()})`,
        ...marks(kinds),
        ANSWERS[answer],
      ]),
    ),
    CONTEXT,
    HEADERS,
    ...hooks.map(([name, hook]) => section(name, hook)),
    TOOLS,
    '## Values\nEach of these members is a value, or a function that returns the value. The function has no arguments unless the table says otherwise.\n',
    table(
      ['value', 'Python', ...KINDS, 'meaning'],
      values.map(([name, { python, kinds, about }]) => [
        `\`${name}\``,
        `\`${python}\``,
        ...marks(kinds),
        about,
      ]),
    ),
  ].join('\n')
}

function section(name: string, { kinds, python, args, answer, limit, flow, about }: Hook): string {
  const calls = typeof args === 'string' ? [[kinds.join(', '), args]] : callsOf(args, kinds)
  const seconds = DEFAULT_LIMITS[limit]
  return [
    `## ${name}`,
    `${about} ${FLOWS[flow](kinds)}\n`,
    ...calls.map(([who, given]) => `- ${who}: \`${name}(${given})\``),
    `- result: ${ANSWERS[answer]}`,
    `- in Python: ${python.map((own) => `\`${own}\``).join(', ')}`,
    `- time limit for a promise: \`limits.${limit}\`, ${seconds} s\n`,
  ].join('\n')
}

/** Groups kinds with the same arguments. */
function callsOf(args: { readonly [K in Kind]?: string }, kinds: readonly Kind[]): string[][] {
  const given = [...new Set(kinds.map((kind) => args[kind] ?? ''))]
  return given.map((own) => [kinds.filter((kind) => args[kind] === own).join(', '), own])
}

function marks(kinds: readonly Kind[]): string[] {
  return KINDS.map((kind) => (kinds.includes(kind) ? '✓' : ''))
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}
