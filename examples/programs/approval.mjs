// A tool that asks first: the run waits, and goes on with a person's answer.
import { createHost, textOf } from 'braidwork'
import { run } from 'braidwork/agent'

const config = { tool_policy: { calculate: 'ask' } }
const host = await createHost({ plugins: ['scripted', 'calculator'], config })
const messages = [{ role: 'user', parts: [{ type: 'text', text: 'What is 12 * 34?' }] }]
const waiting = await run(host, { messages }).result
const [{ approvalId, name, input }] = waiting.suspension.approvals
console.log(waiting.finishReason, name, input)

for (const approved of [true, false]) {
  const resume = { ...waiting.suspension, verdicts: [{ approvalId, approved }] }
  const asked = { messages: [...messages, ...waiting.messages], resume }
  const { messages: answers } = await run(host, asked).result
  console.log(approved, answers.map(({ role }) => role).join(), textOf(answers.at(-1)))
}
await host.close()
