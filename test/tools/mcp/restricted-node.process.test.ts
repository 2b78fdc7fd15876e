import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '../../helpers/source-files.ts'

const PROGRAM = `
import { createHost } from 'braidwork'
import mcp from '@braidwork/tool-mcp'

const settings = { mcp: { servers: { files: { command: process.execPath } } } }
const config = { provider: 'scripted', enabled_plugins: ['mcp'], settings }
const host = await createHost({ plugins: ['scripted', mcp], config })
const tools = await host.toolSchemas({}, { inventory: true })
await host.close()
console.log(JSON.stringify(tools.map(({ reason }) => reason)))
`

describe('an MCP server under the permission model of Node', () => {
  it('is told to need the flag that allows child processes', async () => {
    const [major = 0] = process.versions.node.split('.').map(Number)
    const permission = major < 23 ? '--experimental-permission' : '--permission'
    const flags = [permission, '--allow-fs-read=*', '--no-warnings', '--input-type=module']
    const args = [...flags, '--eval', PROGRAM]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT })
    expect(JSON.parse(stdout).join('\n')).to.contain(
      `could not be started in "${ROOT.replace(/\/$/, '')}": Node's permission model allows no child processes. Run Node with "--allow-child-process" too`,
    )
  })
})
