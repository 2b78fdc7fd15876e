import { FACT_CLASSES, FACT_SOURCES } from '../src/agent/facts/index.ts'

export const FACTS_PATH = 'docs/facts.md'

const INTRO = `<!-- Made by "npm run docs" from src/agent/facts; do not edit by hand. -->
# What a run tells: facts
Each run that a server stores can be read as facts: events in the form of agentruntime (Lime profile 0.4.0), or records of tool calls in the form of agenttool. They are made from the stored events alone, so they are the same after a restart, and without a provider.
\`\`\`sh
npx braidwork runs export 85b6c19e-95f4-4f96-b0f6-cac2892243c0 facts.jsonl
npx braidwork runs export 85b6c19e-95f4-4f96-b0f6-cac2892243c0 --format agenttool --owner ada
\`\`\`
Each fact is a line of JSON. Without a file, they go to standard output. \`--owner\` is the caller who began the run, by default \`local\`; a run of another owner is not found. On a server, \`GET /runs/{id}/facts\` has the same, with \`?format=agenttool\` for the records. Callers have the facts of their own runs. Only admins are told which models were asked (\`routing.*\`, \`model.failed\`, \`rate_limit.hit\`), and the paths and addresses that plugins took context from (\`context.resolved\`).

**Context.** \`context.resolved\` tells, before each request to a model, what it consists of beside what was said: \`payload.included\`, \`payload.leftOut\` and \`payload.missing\`, each a list of \`{kind, ref, status, reason, plugin}\`. A feature tells it by \`context.report\` ([hooks.md](hooks.md#the-context)); the instructions, context and messages that a program adds to its agents are told too. It has no texts. A request tells at most 100 reports of plugins; \`payload.omitted\` counts the others.

**Ids.** \`sessionId\` and \`threadId\` are the conversation, or the run if it has none; \`turnId\` and \`runId\` are the run. \`eventId\` is the same in each export, so a reader that sees a fact twice knows it. \`sequence\` grows within a session and has gaps. Facts about tools have \`stepId\` and \`toolCallId\`; the catalog of tools belongs to no call, so both are made up. A call that did not succeed is \`tool.failed\`, and \`payload.status\` says how it ended: \`failed\`, \`timed_out\`, \`canceled\`, \`validation_failed\`, \`denied\`, \`blocked\`, or \`interrupted\` for what a tool answered after its call was canceled.

**Records of tool calls.** Each line is an event of agenttool whose \`data\` is a record: \`tool.tool_surface\`, \`tool.tool_declaration\` and \`tool.deferred_tool\` for the tools of a run, offered or not, with the reasons; \`tool.permission_decision\`, \`tool.hook\`, \`tool.input_mutation\`, \`tool.progress\`, \`tool.invocation\`, \`tool.result\` and \`tool.result_persistence\` for a call.

## The classes
Of the ${FACT_CLASSES.length} classes of the profile, a run tells those that have an event here.

| class | told by the event |
| --- | --- |
`

/** The page about facts, with the events that cause each class. LR-16 */
export function factsPage(): string {
  const rows = FACT_CLASSES.map((name) => {
    const types = Object.entries(FACT_SOURCES).flatMap(([type, { classes }]) =>
      classes.some((one) => one === name) ? [`\`${type}\``] : [],
    )
    return `| \`${name}\` | ${types.length > 0 ? types.join(', ') : 'nothing here'} |`
  })
  return `${INTRO}${rows.join('\n')}\n`
}
