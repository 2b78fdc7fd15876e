/**
 * Asks by elicitation, from a server to a client of MCP. Reads {params, answer} jobs from stdin; prints for
 * each what the client was asked and what the server was given back, or what either refused.
 */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'

let input = ''
for await (const piece of process.stdin) input += piece
const results = []
for (const job of JSON.parse(input)) results.push(await elicit(job))
process.stdout.write(JSON.stringify(results))

async function elicit({ params, answer }) {
  const result = {}
  const client = new Client(
    { name: 'client', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', ({ params: asked }) => {
    result.asked = asked
    return { action: 'accept', content: answer ?? defaultsOf(asked.requestedSchema) }
  })
  const server = new McpServer({ name: 'server', version: '1' })
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the clients of today are asked this way
    result.given = await server.server.elicitInput(params)
  } catch (error) {
    result.thrown = String(error)
  }
  await Promise.all([client.close(), server.close()])
  return result
}

/** What a form gives back that a person leaves as it is. */
function defaultsOf({ properties }) {
  const set = Object.entries(properties).filter(([, schema]) => 'default' in schema)
  return Object.fromEntries(set.map(([name, schema]) => [name, schema.default]))
}
