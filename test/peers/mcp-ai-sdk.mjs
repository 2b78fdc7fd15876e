/**
 * Calls tools by the MCP client of the AI SDK. Reads {url, token, answer, calls: [{name, input}]} from stdin; prints the
 * names of the tools, what each call gives, and what the client was asked.
 */
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp'

let input = ''
for await (const piece of process.stdin) input += piece
const { url, token, answer, calls } = JSON.parse(input)
const headers = { Authorization: `Bearer ${token}` }
const client = await createMCPClient({
  transport: { type: 'http', url, headers },
  ...(answer ? { capabilities: { elicitation: {} } } : {}),
})
const asked = []
if (answer) {
  client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => {
    asked.push(params.message)
    return answer
  })
}
const tools = await client.tools()
const results = []
for (const { name, input: given } of calls) {
  const result = await tools[name].execute(given, { messages: [], toolCallId: name })
  results.push({ isError: result.isError, text: result.content.map(({ text }) => text).join('') })
}
await client.close()
process.stdout.write(JSON.stringify({ names: Object.keys(tools), results, asked }))
