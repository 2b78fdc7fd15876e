import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pluginChecks } from '@braidwork/testing'

const FOLDER = join(import.meta.dirname, '..')
const CHUNKS = ['Hel', 'lo.'].map((content) => ({ choices: [{ delta: { content } }] }))

/** An API that gives every request the same answer. */
const server = createServer((_request, response) => {
  for (const chunk of CHUNKS) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const settings = { '{{name}}': { base_url: `http://127.0.0.1:${server.address().port}` } }

describe('{{name}} in a host', () => {
  after(() => server.close())
  for (const { name, run } of pluginChecks(FOLDER, { config: { settings } })) it(name, run)
})
