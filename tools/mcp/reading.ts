import { isObject, type Part, type ToolOutput, type ToolSchema } from '@braidwork/plugin'
import type { Client } from '@modelcontextprotocol/client'
import type { Execution } from './calls/execute.ts'
import { messageOf } from './connection/connection.ts'
import { contentOf, resourcePart } from './content.ts'
import { type Listed, listAll } from './sessions/list-all.ts'
import type { Pool } from './sessions/pool.ts'
import type { McpState } from './settings.ts'
import { OWN_NAME } from './settings-schema.ts'
import { oneLine } from './visible.ts'

const LIST = `${OWN_NAME}__list`
const READ = `${OWN_NAME}__read`

/** The most entries that a list shows. */
const MOST_SHOWN = 200
const SAFETY = {
  is_read_only: true,
  is_concurrency_safe: false,
  is_destructive: false,
  capabilities: ['read', 'custom'],
} as const

/** The tools that list and read the resources and prompts of servers. */
export function readingSchemas({ servers, resources }: McpState): readonly ToolSchema[] {
  if (!resources || servers.length === 0) return []
  const server = {
    type: 'string',
    enum: servers.map(({ name }) => name),
    description: 'Name of the MCP server',
  }
  const common = { safety: SAFETY, runtime_owner: 'mcp_server' } as const
  return [
    {
      ...common,
      name: LIST,
      description: 'Lists the resources and prompts of an MCP server.',
      input_schema: {
        type: 'object',
        properties: { server },
        required: ['server'],
        additionalProperties: false,
      },
    },
    {
      ...common,
      name: READ,
      description: 'Reads a resource of an MCP server by its URI, or a prompt by its name.',
      input_schema: {
        type: 'object',
        properties: {
          server,
          uri: { type: 'string', description: 'URI of a resource' },
          prompt: { type: 'string', description: 'Name of a prompt' },
          arguments: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: { type: 'string', description: 'Name of the argument' },
                value: { type: 'string', description: 'Value of the argument' },
              },
              required: ['name', 'value'],
              additionalProperties: false,
            },
            description: 'Arguments of the prompt',
          },
        },
        required: ['server'],
        additionalProperties: false,
      },
    },
  ]
}

/** Whether a call is for one of these tools. */
export function isReading(name: string): boolean {
  return name === LIST || name === READ
}

interface Asked {
  readonly server: string
  readonly uri?: string
  readonly prompt?: string
  readonly arguments?: readonly { readonly name: string; readonly value: string }[]
}

/** Runs a call of one of these tools. */
export async function read(pool: Pool, { call, state, context }: Execution): Promise<ToolOutput> {
  const asked = call.input as Asked
  const server = state.servers.find(({ name }) => name === asked.server)
  if (!server)
    return { output: `There is no MCP server "${oneLine(asked.server)}".`, isError: true }
  const session = pool.sessionOf(server, state)
  session.use(context.log)
  const { signal } = context
  try {
    const output = await session.with(
      (client): Promise<unknown> =>
        call.name === LIST ? listed(client, state) : one(client, asked, signal),
    )
    return { output }
  } catch (error) {
    signal.throwIfAborted()
    return { output: `The MCP server "${server.name}": ${messageOf(error)}`, isError: true }
  }
}

async function listed(client: Client, { start }: McpState): Promise<object> {
  const { resources, prompts } = client.getServerCapabilities() ?? {}
  const all = (method: Parameters<typeof listAll>[1], key: string) =>
    listAll(client, method, key, start * 1_000)
  return {
    resources: resources ? shown(await all('resources/list', 'resources'), 'uri') : [],
    templates: resources
      ? shown(await all('resources/templates/list', 'resourceTemplates'), 'uriTemplate')
      : [],
    prompts: prompts ? shown(await all('prompts/list', 'prompts'), 'name') : [],
  }
}

function shown(entries: readonly Listed[], key: string): readonly object[] {
  return entries.slice(0, MOST_SHOWN).map((entry) => {
    const { name, description, arguments: given } = entry
    const names = (Array.isArray(given) ? given : []).flatMap((one) =>
      isObject(one) && typeof one['name'] === 'string' ? [oneLine(one['name'])] : [],
    )
    return {
      [key]: oneLine(String(entry[key] ?? ''), 2_000),
      ...(typeof name === 'string' && key !== 'name' ? { name: oneLine(name) } : {}),
      ...(typeof description === 'string' ? { description: oneLine(description) } : {}),
      ...(names.length > 0 ? { arguments: names } : {}),
    }
  })
}

async function one(client: Client, asked: Asked, signal: AbortSignal): Promise<unknown> {
  const { uri, prompt, arguments: given = [] } = asked
  if (uri !== undefined) {
    const { contents } = await client.readResource({ uri }, { signal })
    return contents.map((resource) => resourcePart(resource))
  }
  if (prompt === undefined) throw new Error('name either a "uri" or a "prompt"')
  const values = Object.fromEntries(given.map(({ name, value }) => [name, value]))
  const { messages } = await client.getPrompt({ name: prompt, arguments: values }, { signal })
  return messages.flatMap(({ role, content }): readonly Part[] => [
    { type: 'text', text: `${role}:` },
    ...contentOf([content]).parts,
  ])
}
