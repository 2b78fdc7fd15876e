import { join } from 'node:path'
import { agUiEncoder } from '../src/server/wire/ag-ui/index.ts'
import { SDK_VERSIONS, uiMessageEncoder } from '../src/server/wire/ui-message-stream/index.ts'
import { A2A_INTRO, A2A_LOSSES, a2aWritten } from './wire-a2a-page.ts'
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
The protocol of \`useChat\`. A client sends \`POST\` with the messages of the chat. The response is a stream of server-sent
events with the header \`x-vercel-ai-ui-message-stream: v1\`, and it ends with \`data: [DONE]\`. The same events of a run
always produce the same text, so a later reader gets exactly what the first reader got.

**Request.** The server reads what \`DefaultChatTransport\` sends (\`id\`, \`messages\`, \`trigger\`, \`messageId\`) and
what the app adds in \`body\`:

- \`agent\` (a published model), \`temperature\`, \`topP\`, \`maxOutputTokens\`, \`stopSequences\`, \`seed\`, \`toolChoice\`;
- \`tools\` of the client, JSON Schemas by name (\`{"weather": {"description", "parameters"}}\`);
- \`message\`, from an app that sends only the last message;
- \`existing: true\`, from an app that goes on with a conversation: if it does not exist, because somebody has deleted it, the
  answer is 404 with \`CONVERSATION_UNKNOWN\`. Without it, the request begins the conversation anew.

The server ignores other fields and lists their names. It refuses a provider, addresses, plugins and secrets, and names
the field.

**Tool calls.** Calls of the host's and the provider's tools are \`dynamic\`. Calls of the client's own tools are not: the
client knows these tools by name, and its \`onToolCall\` answers the calls. From version 6 on, \`providerMetadata.braidwork\`
of a result (\`resultProviderMetadata\` of the part) has \`error\` with the class of the failure, and \`references\` to a
large result, of which the output is a preview.

**Approvals.** From version 6 on, a part of the call asks for approval, and \`addToolApprovalResponse\` answers it. Other
clients get a part \`data-approval\` with \`{approvalId, toolCallId, toolName, input, state}\`. Their answer is a part
\`data-approval\` with \`{approvalId, approved, reason?}\` in the next user message. The rest of the answer comes
behind it, as a message with an id of its own; in the history of the server, all of the answer is one message.

**Questions.** A [question](agents.md#asking-a-person) is a call without an output. \`addToolOutput\` answers it, and declines with
\`state: 'output-error'\`. For a call that asks in the middle, as tools of MCP servers do, a part \`data-question\` with
\`{approvalId, toolCallId, toolName, question, schema, expiresAt}\` says what is asked, and \`addToolOutput\` for
\`toolCallId\` answers with a value that fits \`schema\`. The last question of a call is open until the call has an output;
that output becomes the answer first, and then what the tool makes of it.

**Files.** A chunk \`file\` has no field for a name. The name of a file in an answer is \`providerMetadata.braidwork.filename\`,
and \`filename\` in the history.

**Steering.** A message that is said to the run, by \`POST /api/conversations/{id}/steer\` for example, is a part \`data-steering\`
with its id and \`{text}\`, where it entered the answer. The server ignores this part in a request: its history has the
message between two answers.

**Errors.** An error before the first byte is sent with an HTTP status and \`{code, message, pointer?}\`. A later error
is a chunk \`error\`, whose text ends in the code: \`The model API is overloaded. (OVERLOADED)\`.

**Resuming.** A client that reconnects reads the message again from its \`start\`. Clients of versions 6 and 7 then drop the
part that they had. A client of version 5 appends the message to that part, so its history must not contain the
unfinished message.
\`?run=\` selects a run, whether it has ended or not: for example the run whose approval was answered by
\`POST /approvals/{id}\`.

## Events
A step ends when the results of its calls are known: with the start of the next step, or with the end of the message. A
text starts with its first characters.

The columns are the chunks for requests without \`?sdk=\` and with it. An empty cell means the same as in the first column.
`

const UI_LOSSES: Rows = [
  [
    'a restarted step, before version 7',
    'the client keeps the parts that it had, and new parts follow them',
  ],
  [
    'metadata of a message, except agent, run, time, usage with its cost, and finish reason',
    'not sent; use a `data` part to send data to a UI',
  ],
  ['provider metadata that is not an object', 'not sent'],
  ['provider metadata of `data` parts', 'not sent'],
  [
    'provider metadata of results before version 6, and of files in version 5',
    'not kept by the client',
  ],
  ['fields of a source except `url`, `title`, `mediaType` and `filename`', 'not sent'],
  [
    'files with an address other than https:, http: and data:',
    'not sent; a source with such an address becomes a document',
  ],
  ['the name of a file that the model made', 'sent in a history, not in a stream'],
  ['`native` of a tool result', 'not sent; `output` is'],
  [
    'keys `__proto__`, and `prototype` below `constructor`',
    'left out, because clients fail on them',
  ],
  ['the expiry time of an approval, from version 6 on', 'not sent; the host enforces it'],
  ['the answer to an approval, in version 6', 'the result shows it'],
  ['the `id` of a `data` part', 'sent in a stream, not in a history'],
  ['data that a tool emitted before its result', 'sent in a stream, not in a history'],
  ['a denied call', 'denied in a stream, failed in a history'],
  [
    'a message that is said to the run',
    'a part of the answer in a stream, a message of its own in a history',
  ],
]

const AG_UI_INTRO = `${MADE}
# AG-UI 1.0
The protocol of CopilotKit and other clients of \`@ag-ui/client\`. A client sends \`POST\` with a \`RunAgentInput\`; the
response is a stream of server-sent events.

**Request.** \`threadId\` is the conversation, and \`tools\` are the client's own. Of \`forwardedProps\` the server reads
\`agent\` (a published model), \`steer\`, \`temperature\`, \`topP\`, \`maxOutputTokens\`, \`stopSequences\`, \`seed\` and \`toolChoice\`.
It refuses a provider, addresses, plugins and secrets, and names the field. It accepts and ignores \`state\`, because a run
has no shared state.

**Context.** \`context\` becomes the first part of the last user message: "Context from the application:" and its entries.
Many other servers add it to the system instructions. This server does not, because no sender of a request may speak as the
system. The part has \`providerMetadata: {"ag-ui": {"context": true}}\`, so that a UI can hide it.

**Tool calls.** The events of two calls never interleave: events of one call wait while another call is open. A run that
calls the client's tools ends as a success with \`pendingToolCallIds\`, if the client says its \`protocolVersion\`: clients
before 1.0, such as CopilotKit 1, refuse that field. The client sends the results as \`tool\` messages of
the next run.

**Approvals.** A run that waits for approvals ends with the outcome \`interrupt\`. It has one interrupt for each call
(\`reason: "tool_call"\`, \`toolCallId\`, \`responseSchema\`, \`expiresAt\`). The next run sends \`resume\` with the payload
\`{"approved": true | false, "reason"?}\`. An answer without \`approved\` is refused, and a cancelled answer counts as a
refusal of the call.

**Another answer.** The protocol has no word for it: a client such as CopilotKit drops the answer and runs again, with a new
\`runId\`. A request that ends with a message that the thread has an answer to therefore gets another one, which takes the
place of that answer and of all after it. It gets the same answer again if the \`runId\` is that of the run that gave it, as
when a request is repeated; if that run goes on or waits for a person; or if nothing was said after the answer and this
process of the server has not sent it to its end, as after a lost connection.

**Steering.** With \`forwardedProps.steer: true\`, the new user messages of a request are for the run that is active in the
thread. They enter it before its next request to the model, and the response ends then: a run of its own, with a custom
event \`steered\` (\`{runId}\`, the id of the other run on the server) and the outcome \`success\`. The stream of the run that
goes on shows each message in its place, as a text message of the role \`user\` with the client's id, and then the answer.
Without an active run, or if the run ends before it takes the messages, the request is a turn like any other, and its
response is the answer. A request that is sent again enters once. The messages may only have text. While another process
of the server works on the run, the request is refused with \`CONVERSATION_BUSY\`.

**Questions.** A [question](agents.md#asking-a-person) is an interrupt with the reason \`input_required\`. A \`resume\` answers it with
the payload \`{"answer": …}\`, and declines with the status \`cancelled\`.

**Progress.** The progress of a tool is an activity, \`activityType: "tool-progress"\` with \`{toolCallId, progress}\`. The
client keeps the last one of each call among its messages. The server ignores it when the client sends it back.

**Times.** The \`timestamp\` of an AG-UI event is the stored time of the run's event that it is sent for, so it is the same
for every reader. It is missing if the event was stored by a version without times.

**Provider metadata** of a part, such as signatures and encrypted reasoning, is sent as \`REASONING_ENCRYPTED_VALUE\`. The
client returns it unread.

**Errors.** An error before the first byte is sent with an HTTP status, and with the same \`RUN_ERROR\` as a later one.
Its \`metadata.pointer\` names the faulty place. A run that was stopped has the outcome \`cancelled\`.

## Events
A step ends when the results of its calls are known: with the start of the next step, or with the end of the run. A text
starts with its first characters. Tool results are texts.
`

const AG_UI_LOSSES: Rows = [
  [
    'files, sources and `data` parts',
    '`CUSTOM` events of their type, which are not in the messages that a client keeps',
  ],
  ['a restarted step', 'a `CUSTOM` event `step-reset`; the client keeps the parts that it had'],
  ['JSON as a tool result', 'sent as text'],
  [
    'a failed tool result',
    '`metadata` of the result: `isError`, and `error` with the class of the failure',
  ],
  ['a large tool result', 'its preview, with `metadata.references` to what is stored'],
  ['a call that the provider ran', '`metadata: {"providerExecuted": true}` of the call'],
  ['metadata of a message, except model, usage and finish reason of the run', 'not sent'],
  [
    'subagents (`SUBAGENT_*`, `subagentRunId`)',
    'not sent: a child run is shown as the progress of its call',
  ],
  ['states and their changes (`STATE_*`)', 'not sent, because no run has a state'],
  [
    'histories (`MESSAGES_SNAPSHOT`)',
    'not sent: a client keeps the messages that it read, and `GET /api/conversations/{threadId}` returns the stored ones',
  ],
]

/** The generated pages about protocols. */
export function wirePages(): readonly WirePage[] {
  const versions = SDK_VERSIONS.map((sdk) => writtenBy((facts) => uiMessageEncoder(facts, { sdk })))
  const ui = [writtenBy((facts) => uiMessageEncoder(facts)), ...versions]
  const columns = ['without `sdk`', ...SDK_VERSIONS.map((sdk) => `\`sdk=${sdk}\``)]
  const agUi = [writtenBy((facts) => agUiEncoder(facts))]
  return [
    pageOf('wire-ui-message-stream', [UI_INTRO, ...tableOf(columns, ui), ...lossesOf(UI_LOSSES)]),
    pageOf('wire-ag-ui', [
      AG_UI_INTRO,
      ...tableOf(['AG-UI events'], agUi),
      ...lossesOf(AG_UI_LOSSES),
    ]),
    pageOf('wire-a2a', [
      MADE,
      A2A_INTRO,
      ...tableOf(['A2A updates'], [a2aWritten()]),
      ...lossesOf(A2A_LOSSES),
    ]),
  ]
}

function pageOf(name: string, lines: readonly string[]): WirePage {
  const path = join(import.meta.dirname, '..', 'docs', `${name}.md`)
  return { path, text: `${lines.join('\n')}\n` }
}

/** The table of what is sent for each event. Identical columns are merged. */
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
  return [
    rowOf(['event of a run', ...columns]),
    rowOf(['event of a run', ...columns].map(() => '---')),
    ...rows,
  ]
}

function lossesOf(rows: Rows): readonly string[] {
  const heading = '\n## Differences'
  return [heading, rowOf(['of a run', 'on the wire']), rowOf(['---', '---']), ...rows.map(rowOf)]
}

function cellOf(types: readonly string[] = []): string {
  return types.length > 0 ? types.map((type) => `\`${type}\``).join(' ') : 'nothing'
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
