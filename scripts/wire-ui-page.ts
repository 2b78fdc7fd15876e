/** What the page about the UI message stream says before its table. */
export const UI_INTRO = `# The UI message stream of the AI SDK
The protocol of \`useChat\`. A client sends \`POST\` with the messages of the chat. The response is a stream of server-sent
events with the header \`x-vercel-ai-ui-message-stream: v1\`, and it ends with \`data: [DONE]\`. The same events of a run
always produce the same text, so a later reader gets exactly what the first reader got.

**Request.** The server reads what \`DefaultChatTransport\` sends (\`id\`, \`messages\`, \`trigger\`, \`messageId\`) and
what the app adds in \`body\`:

- \`agent\` (a published model), \`temperature\`, \`topP\`, \`maxOutputTokens\`, \`stopSequences\`, \`seed\`, \`toolChoice\`;
- \`tools\` of the client, JSON Schemas by name (\`{"weather": {"description", "parameters"}}\`);
- \`message\`, from an app that sends only the last message, or \`wholeHistory: true\`, from one that always sends all;
- \`existing: true\`, from an app that goes on with a conversation: if it does not exist, because somebody has deleted it, the
  answer is 404 with \`CONVERSATION_UNKNOWN\`. Without it, the request begins the conversation anew.

The server ignores other fields and lists their names. It refuses a provider, addresses, plugins and secrets, and names
the field.

**Branches.** \`useChat\` sends its whole history. New messages follow the last message before them that the server knows:
after an edit under a new id, or with a history that \`setMessages\` has cut, they begin a
[branch](server.md#where-new-messages-go). A message with a known id and another content changes that message.
\`regenerate-message\` answers the named message again, or the last one of the request. A message that never reached the
server, as after a lost connection, is sent by that; one whose text has changed is changed.

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
that output becomes the answer first, and then what the tool makes of it. Where a delegate needs a permission, \`call\`
has the \`{agent, name, input}\` of its call.

**Files.** A chunk \`file\` has no field for a name. The name of a file in an answer is \`providerMetadata.braidwork.filename\`,
and \`filename\` in the history.

**Steering.** A message that is said to the run, by \`POST /api/conversations/{id}/steer\` for example, is a part \`data-steering\`
with its id and \`{text}\`, where it entered the answer. The server ignores this part in a request: its history has the
message between two answers.

**Errors.** An error before the first byte is sent with an HTTP status and \`{code, message, pointer?}\`. A later error
is a chunk \`error\`, whose text ends in the code: \`The model API is overloaded. (OVERLOADED)\`.

**Warnings** of a run have no place in the protocol; they are in the [log](server.md#configuration).

**Resuming.** A client that reconnects reads the message again from its \`start\`. Clients of versions 6 and 7 then drop the
part that they had. A client of version 5 appends the message to that part, so its history must not contain the
unfinished message.
\`?run=\` selects a run, whether it has ended or not: for example the run whose approval was answered by
\`POST /approvals/{id}\`.

## Events
A step ends when the results of its calls are known: with the start of the next step, or with the end of the message. A
text starts with its first characters. A message whose last calls all have results, as after a stop or \`max_rounds\`, ends
with an empty step: \`lastAssistantMessageIsCompleteWithToolCalls\` would send it again for ever.

The columns are the chunks for requests without \`?sdk=\` and with it. An empty cell means the same as in the first column.
`

/** What a run has that the protocol has not. */
export const UI_LOSSES: readonly (readonly [what: string, instead: string])[] = [
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
