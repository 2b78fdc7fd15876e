// Runs the agent of the working directory: node ../program.mjs notes-keeper "Please keep this: …"
import { readFile } from 'node:fs/promises'
import { createHost, textOf } from 'braidwork'
import { createRuntime, readAgentFiles } from 'braidwork/agent'

const [agent, messages] = process.argv.slice(2)
if (!messages) {
  console.error('Usage: node ../program.mjs AGENT TEXT')
  process.exit(2)
}
const config = JSON.parse(await readFile('braidwork.json', 'utf8'))
const { agents, faults } = await readAgentFiles('agents')
if (faults.length > 0) throw faults[0]
const host = await createHost({ config })
const runtime = await createRuntime({ host, agents })
const stream = await runtime.run(agent, { messages })
for await (const event of stream) {
  if (event.type === 'tool-execution-end') console.log(event.result.name, event.result.output)
}
const result = await stream.result
if (result.error) console.error(result.error.message)
else console.log(textOf(result.messages.at(-1)), result.termination)
process.exitCode = result.error ? 1 : 0
await host.close()
