import { a2aEncoder } from '../src/server/wire/a2a/index.ts'
import type { RunFacts } from '../src/server/wire/protocol.ts'
import { writtenBy } from './wire-samples.ts'

/** What the page about A2A says before its table. */
export const A2A_INTRO = `# A2A 1.0 and 0.3
The protocol by which agents call each other. [a2a.md](a2a.md) says how an agent is published and called; this page says what is
sent. A run of an agent is a task, and a conversation is a context.

**Addresses.** \`/a2a/{agent}\` is the address of a published agent or model. It takes JSON-RPC in a \`POST\`, of version 1.0
(\`SendMessage\`) and 0.3 (\`message/send\`). Below it are the paths of HTTP+JSON, of version 1.0:
\`POST message:send\`, \`POST message:stream\`, \`GET tasks\`, \`GET tasks/{id}\`, \`POST tasks/{id}:cancel\`,
\`POST tasks/{id}:subscribe\`. The card of an agent is at \`/a2a/{agent}/.well-known/agent-card.json\`, and that of the first
agent that the caller may use at \`/.well-known/agent-card.json\`. Cards need the caller's token, as all endpoints do.

**Versions.** The name of the method, or the path, tells the version. A header \`A2A-Version\` with another version than
1.0 and 0.3 is refused.

**Request.** A message has parts with \`text\`, \`raw\`, \`url\` or \`data\`. The model sees data as JSON. Addresses of files are
\`https:\`. \`messageId\` makes a message unique in its context: sent again, it starts nothing, and with another content it is refused.
\`contextId\` goes on with a conversation. A context has one task at a time that is worked on: a message without its
\`taskId\` is refused meanwhile, with \`UNSUPPORTED_OPERATION\`. \`configuration.returnImmediately\` (0.3: \`blocking: false\`) returns the task before it has ended.
\`acceptedOutputModes\`, \`historyLength\`, \`metadata\`, \`extensions\` and \`referenceTaskIds\` have no effect.

**Tasks.** A task goes on without a reader. It is read from the storage, so it is the same after a restart of the server.
Its texts, files, sources and data are artifacts. It has no \`history\`. A task of another owner, agent or protocol is not
found.

**Streams.** A stream begins with the task as it is at that time. The first piece of an artifact has no \`append\`, so a
client that subscribes again replaces what it had. A stream ends when the task is over, or waits for an answer.

**Approvals and questions.** A task that waits has the state \`TASK_STATE_INPUT_REQUIRED\`. The message of its status has a
text for people, and data: \`{"approvals": [{approvalId, callId, tool, input, expiresAt}]}\`, or for a
[question](agents.md#asking-a-person) \`isQuestion\` and \`answerSchema\` in place of the input. The answer is a message with the
\`taskId\`. If one approval is open, it may be a text: \`yes\` or \`no\` for a permission, or the answer to the question. Data
answers any number: \`{"approvals": [{approvalId, "approved": true | false, "reason"?}, {approvalId, "answer": …}]}\`. The
task goes on when all are answered.

**Steering.** A message with the \`taskId\` of a task that is worked on enters it before its next request to the model. A
stream, and with \`returnImmediately\` the task, comes without waiting for that.

**Lists.** \`ListTasks\` lists the caller's tasks at the agent, newest first: those of a \`contextId\`, or without one all. A
\`status\` that is no state of the protocol is refused.

**Push notifications.** With \`server.push_notifications\`, the server posts the task to the receivers of its configs at each
change of its state; otherwise it refuses configs with \`PUSH_NOTIFICATION_NOT_SUPPORTED\`. A config comes with a message
(\`configuration.taskPushNotificationConfig\`, 0.3: \`pushNotificationConfig\`) or by its own methods; in HTTP+JSON these are
\`POST\` and \`GET tasks/{id}/pushNotificationConfigs\`, and \`GET\` and \`DELETE\` of one below it. A task has at most ten. They are
stored with the conversation, so a restart of the server keeps them; their credentials are not told again. The body of a
notification is \`{"task": …}\` (0.3: the task), its headers are \`X-A2A-Notification-Token\` and \`Authorization\`. A receiver that
does not answer within 10 seconds, or with 408, 429 or 5xx, is tried twice more. One that is slow misses states, but not the
last one. One that was named after the task had begun is told its state at once, so a state may arrive twice. What is on its
way when the process ends is lost. Addresses are \`https:\` and public, and redirects are not followed.

**Errors.** A failed run is a task with the state \`TASK_STATE_FAILED\`; its \`metadata.code\` is the code of the error. Errors of
requests have the codes and reasons of the specification. In JSON-RPC they have the HTTP status 200, except for a body that
is no request, and for 401, 403, 413, 421, 429 and those from 500 on. In answer to \`message/stream\` and \`tasks/resubscribe\`
of version 0.3, those with the status 200 are an event stream of one event \`error\`, since clients of that version read no
other answer.

## Events
The updates are those of version 1.0. Version 0.3 has \`status-update\` and \`artifact-update\`.
`

export const A2A_LOSSES = [
  [
    'reasoning, calls of tools and their results',
    'not sent; the progress of a tool is the message of a status',
  ],
  ['a restarted step', 'its artifacts become empty, and new ones follow'],
  ['metadata of a message, except usage and finish reason of the run', 'not sent'],
  ['the messages of the user', 'not sent back: a client has them'],
  ['files with an address other than https:, http: and data:', 'not sent'],
] as const

export function a2aWritten(): ReadonlyMap<string, readonly string[]> {
  return writtenBy((facts: RunFacts) => a2aEncoder(facts, { version: '1.0' }))
}
