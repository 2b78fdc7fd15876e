// The client's own tool, in an MCP server over stdio. It writes what it is asked into the file ASKED.
import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'weather', version: '1.0.0' })
const inputSchema = z.object({ city: z.string() })
server.registerTool(
  'get_weather',
  { description: 'Tells the weather.', inputSchema },
  ({ city }) => {
    appendFileSync(process.env['ASKED'], `${city}\n`)
    const text = `21 degrees in ${city}, report ${process.env['CODE']}`
    return { content: [{ type: 'text', text }] }
  },
)
await server.connect(new StdioServerTransport())
