import { join } from 'node:path'
import { agUiEncoder } from '../src/wire/ag-ui/index.ts'
import { SDK_VERSIONS, uiMessageEncoder } from '../src/wire/ui-message-stream/index.ts'
import { writtenBy } from './wire-samples.ts'

/** A page of docs/ about a protocol. */
export interface WirePage {
  readonly path: string
  readonly text: string
}

type Rows = readonly (readonly [what: string, instead: string])[]

const MADE = '<!-- Made by "npm run docs" from the encoders; do not edit by hand. -->'

const UI_INTRO = `${MADE}
# The UI message stream of the AI SDK
What \`useChat\` and all that stands on it speak: \`POST\` with the messages of the chat, server-sent events back, header
\`x-vercel-ai-ui-message-stream: v1\`, \`data: [DONE]\` at the end. The same events make the same text again, so
whoever comes later reads what whoever came first has read.

**A request** is what \`DefaultChatTransport\` sends (\`id\`, \`messages\`, \`trigger\`, \`messageId\`), with what the
app adds in \`body\`: \`model\` (a published name), \`temperature\`, \`topP\`, \`maxOutputTokens\`, \`stopSequences\`, \`seed\`,
\`toolChoice\`, and \`tools\` of the client's own, JSON Schemas by name (\`{"weather": {"description", "parameters"}}\`). Of an
app that sends the last message alone, \`message\` is read. Other fields are accepted and named as not honoured; a
provider, addresses, plugins and secrets are refused by name.

**Calls** of the host's tools and of the provider's are \`dynamic\`. Those of the client's own tools are not: the client knows
them by name, and its \`onToolCall\` answers them.

**Approvals**: from version 6 on, a part of the call that \`addToolApprovalResponse\` answers. For clients that do not
say their version, a part \`data-approval\` with \`{approvalId, toolCallId, toolName, input, state}\`; the answer is a part
\`data-approval\` with \`{approvalId, approved, reason?}\` in the next message of the user.

**Errors** before the first byte are a status and \`{code, message, pointer?}\`; after it a chunk \`error\` whose text ends in
the code, as in \`The model API is overloaded. (OVERLOADED)\`.

**Resuming** is reading the message from its \`start\` again. Clients of versions 6 and 7 then drop what they had of it; one of version 5
adds to it, and must not be given the unfinished message with its history. \`?run=\` names a run to be read, over or not: that of
an approval that was answered by its address.

## What is written
A step ends where the results of its calls are there: with the next step, or with the message. A text begins with its first
words.
`

const UI_LOSSES: Rows = [
  ['a step that begins anew, before version 7', 'what was shown stays; what comes after is added'],
  [
    'metadata of a message, beside model, run, time, usage and reason',
    'not told; a `data` part tells a UI',
  ],
  ['provider metadata that is no object', 'not told'],
  ['provider metadata of `data` parts', 'not told'],
  ["provider metadata of results before version 6, of files in version 5's client", 'not kept'],
  ['fields of a source beside `url`, `title`, `mediaType` and `filename`', 'not told'],
  [
    'files by another address than https:, http: and data:',
    'not told; a source with one is a document',
  ],
  ['the name of a file that the model made', 'in a history, not in a stream'],
  ["`native` of a tool's result", 'not told; `output` is'],
  ['keys `__proto__`, and `prototype` below `constructor`', 'left out: clients fail at them'],
  ['when an approval expires, from version 6 on', 'not told; the host judges'],
  ['the answer to an approval, in version 6', 'the result tells it'],
  [
    'the `id` of a `data` part, what a tool emitted on its way, a denied call',
    'in a stream; a history has no id, no such part, a failed call',
  ],
]

const AG_UI_INTRO = `${MADE}
# AG-UI 1.0
What CopilotKit and other clients of \`@ag-ui/client\` speak: \`POST\` with a \`RunAgentInput\`, server-sent events back.

**A request**: \`threadId\` is the conversation; \`tools\` are the client's own. Of \`forwardedProps\`, \`model\` (a published
name), \`temperature\`, \`topP\`, \`maxOutputTokens\`, \`stopSequences\`, \`seed\` and \`toolChoice\` are read; a provider,
addresses, plugins and secrets are refused by name. \`state\` is accepted and not honoured: a run has none to share.

**\`context\`** becomes the first part of the last message of the user, "Context from the application:" and its entries. Servers
differ in this, and many add it to the system's instructions; here nobody who may send a request may speak as the system. The
part is marked by \`providerMetadata: {"ag-ui": {"context": true}}\`, so that a UI can leave it out.

**Calls** come one after the other: what comes of one while another is open waits. A run that calls the client's tools ends
as a success with \`pendingToolCallIds\`, and the answers come as \`tool\` messages of the next.

**Approvals** end a run with the outcome \`interrupt\`, one a call (\`reason: "tool_call"\`, \`toolCallId\`,
\`responseSchema\`, \`expiresAt\`). The next run brings \`resume\` with the payload \`{"approved": true | false, "reason"?}\`;
an answer that does not say \`approved\` is refused, and one that is cancelled is a no.

**Progress** of a tool is an activity, \`activityType: "tool-progress"\` with \`{toolCallId, progress}\`: the last of each
call stands among the client's messages. What comes back of it is for the eye alone, and not read.

**What a provider said of a part** (signatures, sealed reasoning) goes out as \`REASONING_ENCRYPTED_VALUE\` and is given
back by the client unread.

**Errors** before the first byte are a status and the \`RUN_ERROR\` that they would be after it, with the place of what was
wrong in \`metadata.pointer\`. A run that was stopped has the outcome \`cancelled\`.

## What is written
A step ends where the results of its calls are there: with the next step, or with the run. A text begins with its first
words; results of tools are texts.
`

const AG_UI_LOSSES: Rows = [
  [
    'files, sources and `data` parts',
    '`CUSTOM` of their type; not in the messages that a client keeps',
  ],
  ['a step that begins anew', 'what was shown stays; `CUSTOM` `step-reset`'],
  ['JSON as a result', 'its text'],
  ['a failed result', '`metadata: {"isError": true}` of the result'],
  ['a call that the provider ran', '`metadata: {"providerExecuted": true}` of the call'],
  ['metadata of a message, beside the model, usage and reason of the run', 'not told'],
  ['subagents (`SUBAGENT_*`, `subagentRunId`)', 'nothing is told: no run has them'],
  ['states and their changes (`STATE_*`)', 'nothing is told: no run has them'],
  [
    'histories (`MESSAGES_SNAPSHOT`)',
    'not told: a client keeps what it read, and `GET /api/conversations/{threadId}` has what the server keeps',
  ],
]

/** The generated pages about protocols. */
export function wirePages(): readonly WirePage[] {
  const versions = SDK_VERSIONS.map((sdk) => writtenBy((facts) => uiMessageEncoder(facts, { sdk })))
  const ui = [writtenBy((facts) => uiMessageEncoder(facts)), ...versions]
  const columns = ['for all', ...SDK_VERSIONS.map((sdk) => `for ${sdk}`)]
  const agUi = [writtenBy((facts) => agUiEncoder(facts))]
  return [
    pageOf('wire-ui-message-stream', [UI_INTRO, ...tableOf(columns, ui), ...lossesOf(UI_LOSSES)]),
    pageOf('wire-ag-ui', [AG_UI_INTRO, ...tableOf(['events'], agUi), ...lossesOf(AG_UI_LOSSES)]),
  ]
}

function pageOf(name: string, lines: readonly string[]): WirePage {
  const path = join(import.meta.dirname, '..', 'docs', `${name}.md`)
  return { path, text: `${lines.join('\n')}\n` }
}

/** What is written for each event; of columns that are alike, the first says it. */
function tableOf(
  columns: readonly string[],
  written: readonly ReadonlyMap<string, readonly string[]>[],
): readonly string[] {
  const [first = new Map<string, readonly string[]>(), ...others] = written
  const rows = [...first.keys()].map((type) => {
    const cells = written.map((one) => cellOf(one.get(type)))
    const isSame = others.length > 0 && cells.every((cell) => cell === cells[0])
    return rowOf([`\`${type}\``, ...cells.map((cell, at) => (isSame && at > 0 ? '' : cell))])
  })
  return [rowOf(['event', ...columns]), rowOf(['event', ...columns].map(() => '---')), ...rows]
}

function lossesOf(rows: Rows): readonly string[] {
  const heading = '\n## What there is no word for'
  return [heading, rowOf(['what', 'instead']), rowOf(['---', '---']), ...rows.map(rowOf)]
}

function cellOf(types: readonly string[] = []): string {
  return types.length > 0 ? types.map((type) => `\`${type}\``).join(' ') : 'nothing'
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
