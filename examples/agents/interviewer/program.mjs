// Runs the interviewer in the terminal: node program.mjs "I want to travel."
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { createHost, textOf } from 'braidwork'
import { answerFault, createRuntime, readAgentFiles } from 'braidwork/agent'

const [, , text] = process.argv
if (!text) {
  console.error('Usage: node program.mjs TEXT')
  process.exit(2)
}
const config = JSON.parse(await readFile('braidwork.json', 'utf8'))
const { agents, faults } = await readAgentFiles('agents')
if (faults.length > 0) throw faults[0]
const host = await createHost({ config })
const runtime = await createRuntime({ host, agents })
const input = createInterface({ input: process.stdin })
const lines = input[Symbol.asyncIterator]()

let messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
let result = await (await runtime.run('interviewer', { messages })).result
while (result.suspension) {
  const verdicts = []
  for (const approval of result.suspension.approvals) verdicts.push(await verdictOn(approval))
  messages = [...messages, ...result.messages]
  const resume = { ...result.suspension, verdicts }
  result = await (await runtime.run('interviewer', { messages, resume })).result
}
if (result.error) console.error(result.error.message)
else console.log(textOf(result.messages.at(-1)))
process.exitCode = result.error ? 1 : 0
input.close()
await host.close()

/** Asks until the answer has the form that the question wants. An empty line, and the end of the input, decline. */
async function verdictOn({ approvalId, input: asked }) {
  const { question, options, schema } = asked
  const form = options?.join(', ') ?? schema ?? 'a text'
  for (;;) {
    process.stdout.write(`${question} (${form}) `)
    const { value: line = '' } = await lines.next()
    if (line === '') return { approvalId, approved: false }
    const value = schema ? parsed(line) : line
    const fault = await answerFault(asked, value)
    if (fault === undefined) return { approvalId, approved: true, value }
    console.log(fault)
  }
}

/** What a line means as JSON; a line that is not JSON is a text. */
function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
