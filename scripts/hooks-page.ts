import { join } from 'node:path'
import { DEFAULT_LIMITS } from '../src/plugin/config.ts'
import { HOOKS, type Hook, type PluginValue, VALUES } from '../src/plugin/hooks.ts'
import { KINDS, type Kind } from '../src/plugin/kinds.ts'

export const HOOKS_PATH = join(import.meta.dirname, '..', 'docs', 'hooks.md')

/** What each shape of an answer is called on the page. */
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
  each: () => 'Each plugin is asked alone.',
  fold: (kinds) => `Each plugin is handed what the one before it answered: ${inOrder(kinds)}.`,
  one: () => 'One plugin is asked.',
}

/** Kinds as a sentence about the order names them: there is one provider, and tools share nothing. */
function inOrder(kinds: Hook['kinds']): string {
  const sharing = kinds.filter((kind) => kind !== 'tool')
  return sharing.map((kind) => (kind === 'provider' ? kind : `${kind}s`)).join(', ')
}

const INTRO = `<!-- Made by "npm run docs" from src/plugin/hooks.ts; do not edit by hand. -->
# Hooks
A plugin is a plain object with \`kind\`, \`name\` and any of these hooks. Each may answer at once or with a
promise; a hook that its plugin does not have is passed over. Order is one sentence: provider, then
extensions, then features, each kind in registration order. Hooks of a request get one more argument, last:
the \`context\`. What a hook is given is not to be changed: others hold it too, the caller's own messages among
it; a hook answers with values of its own. [python.md](python.md) is the guide for plugins in Python.
`

const CONTEXT = `## The context
| member | gives |
| --- | --- |
| \`signal\` | an \`AbortSignal\`: hand it to whatever does I/O |
| \`phase\` | \`resolve\`, \`prepare\`, \`partials\` while chunks stream, \`finals\` after the answer, \`tools\`, \`settings\` |
| \`config\`, \`tags\`, \`modelInfo\` | the config (other plugins' secrets are \`{"$secret": true}\`), the tags that hold, what is known of the model |
| \`local\` | a \`Map\` of the plugin's own values for this request |
| \`storage\` | its values for the conversation, which outlive the request |
| \`protectedFiles()\` | in TypeScript, where the host has any: the files that decide what it runs; a tool that writes files leaves them alone |
| \`warn(message)\` | adds a sentence to the result's \`warnings\` |
| \`emit(event)\` | an event to the reader at once, in no final |
| \`log({ level, message, … })\` | a line for the log of the program |
| \`requestId\`, \`conversationId\`, \`runId\` | of this request, where there are such |
`

const TOOLS = `## Tools
\`getToolSchemas\` answers with a list of
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
\`input_schema\` is a JSON Schema (2020-12) of an object. \`safety\` stays with the host, and what it does not say (\`is_read_only\`, \`is_concurrency_safe\`, \`is_destructive\`) counts as unsafe: calls of tools that are safe beside each other run together.

\`executeTool\` is given the call, \`{ callId, name, input }\`, its input already checked against the schema, and answers with a text, a list of message parts, \`{ output, isError }\`, or any JSON, which is the output. What it throws is an error result for the model.

A tool tells its progress as an async generator: its last value is the result, each before it an event \`tool-execution-progress\`, told when the next is there; what it returns counts for nothing. \`limits.execute_tool\` counts anew from each value.
`

/** docs/hooks.md */
export function hooksPage(): string {
  const hooks: [string, Hook][] = Object.entries(HOOKS)
  const values: [string, PluginValue][] = Object.entries(VALUES)
  return [
    INTRO,
    table(
      ['hook', ...KINDS, 'answer'],
      hooks.map(([name, { kinds, answer }]) => [
        `[\`${name}\`](#${name.toLowerCase()})`,
        ...marks(kinds),
        ANSWERS[answer],
      ]),
    ),
    CONTEXT,
    ...hooks.map(([name, hook]) => section(name, hook)),
    TOOLS,
    '## Values\nA value, or a function that gives it; without arguments, but where the table says otherwise.\n',
    table(
      ['value', 'Python', ...KINDS, 'what it says'],
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
    `- answers: ${ANSWERS[answer]}`,
    `- in Python: ${python.map((own) => `\`${own}\``).join(', ')}`,
    `- limit where it answers with a promise: \`limits.${limit}\`, ${seconds} s\n`,
  ].join('\n')
}

/** Kinds whose arguments are the same share a line. */
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
