/** What the page about AG-UI says before its table. */
export const AG_UI_INTRO = `# AG-UI 1.0
The protocol of CopilotKit and other clients of \`@ag-ui/client\`. A client sends \`POST\` with a \`RunAgentInput\`; the
response is a stream of server-sent events.

**Request.** \`threadId\` is the conversation, and \`tools\` are the client's own. Of \`forwardedProps\` the server reads
\`agent\` (a published model), \`steer\`, \`wholeHistory\`, \`temperature\`, \`topP\`, \`maxOutputTokens\`, \`stopSequences\`, \`seed\` and \`toolChoice\`.
It refuses a provider, addresses, plugins and secrets, and names the field. It accepts and ignores \`state\`, because a run
has no shared state.

**Context.** \`context\` becomes the first part of the last user message: "Context from the application:" and its entries.
Many other servers add it to the system instructions. This server does not, because no sender of a request may speak as the
system. The part has \`providerMetadata: {"ag-ui": {"context": true}}\`, so that a UI can hide it.

**Tool calls.** The events of two calls never interleave: events of one call wait while another call is open. A run that
calls the client's tools ends as a success with \`pendingToolCallIds\`, if the client says its \`protocolVersion\`. Clients
before 1.0, such as CopilotKit 1, refuse that field: for them the run ends without an outcome, since some, such as
assistant-ui, see no open calls in a success. A custom event \`tool-input-available\` (\`{toolCallId, toolName, input}\`) before
the end names each call that the client may run now, as TanStack AI expects it. The client sends the results as \`tool\`
messages of the next run.

**Approvals.** A run that waits for approvals ends with the outcome \`interrupt\`. It has one interrupt for each call
(\`reason: "tool_call"\`, \`toolCallId\`, \`responseSchema\`, \`expiresAt\`). For an approval, its \`metadata\` is \`{"kind":
"approval", toolName, input}\`. The next run sends \`resume\` with the payload
\`{"approved": true | false, "reason"?}\`. An answer without \`approved\` is refused, and a cancelled answer counts as a
refusal of the call. The first answer to an interrupt counts: another one is refused with \`APPROVAL_EXPIRED\`, and an equal
one gets the same answer of the agent again.

**Another answer.** The protocol has no word for it: a client such as CopilotKit drops the answer and runs again, with a new
\`runId\`. A request that ends with a message that the thread has an answer to therefore gets another one, which takes the
place of that answer and of all after it. It gets the same answer again if the \`runId\` is that of the run that gave it, as
when a request is repeated; if that run goes on or waits for a person; or if nothing was said after the answer and this
process of the server has not sent it to its end, as after a lost connection.

**The same answer again.** Clients append what they are sent to the messages that they have. Of an answer that a client is
sent again, it therefore gets only the rest: texts begin behind the characters that the messages of its request have under
the same ids, and calls and results that the request has are left out. A request may have a result twice, since older
versions sent it twice; the first one counts.

**Branches.** A client sends its whole history. New messages follow the last message before them that the server knows:
after an edit under a new id, they begin a [branch](server.md#where-new-messages-go).

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

## Loading a thread
\`GET /api/conversations/{threadId}?format=ag-ui\` returns a stored thread for a page that has none of it: \`messages\` as a
client of AG-UI keeps them, with the same ids, and in \`interrupts\` what an open run waits for, to be answered with \`resume\`.
It has neither \`versions\` nor \`endings\`. Without \`format\`, the messages are those of the AI SDK.

## Metadata and errors
**Provider metadata** of a part, such as signatures and encrypted reasoning, is sent as \`REASONING_ENCRYPTED_VALUE\`. The
client returns it unread.

**Errors.** An error before the first byte is sent with an HTTP status, and with the same \`RUN_ERROR\` as a later one.
Its \`metadata.pointer\` names the faulty place. A run that was stopped has the outcome \`cancelled\`.

**Warnings** of a run have no place in the protocol; they are in the [log](server.md#configuration).

## Events
A step ends when the results of its calls are known: with the start of the next step, or with the end of the run. A text
starts with its first characters. Tool results are texts.
`

/** What a run has that the protocol has not. */
export const AG_UI_LOSSES: readonly (readonly [what: string, instead: string])[] = [
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
    'not sent: a client keeps the messages that it read, or [loads them](#loading-a-thread)',
  ],
]
