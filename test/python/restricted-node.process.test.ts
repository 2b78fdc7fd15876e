import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

const run = promisify(execFile)

const SHOUT = `
class Shout:
    kind = "extension"
    name = "shout"
plugin = Shout()
`

const PROGRAM = (python: string) => `
import { createHost } from 'braidwork'
import structuredOutput from '@braidwork/feature-structured-output'

const input_schema = { type: 'object', properties: { city: { type: 'string', pattern: '^R' } } }
const plain = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const getToolSchemas = () => [
  { name: 'weather', description: 'd', input_schema },
  { name: 'plain', description: 'd', input_schema: plain },
]
const weather = { kind: 'tool', name: 'w', getToolSchemas, executeTool: () => 'Sunny' }
const configSchema = { type: 'object', properties: { size: { multipleOf: 1 } } }
const sized = { kind: 'feature', name: 'sized', configSchema }
const logged = []
const plugins = ['scripted', structuredOutput, weather, sized, ${JSON.stringify(python)}]
const host = await createHost({ plugins, log: ({ message }) => logged.push(message) })
const opened = await host.open({})
const call = (name) => opened.execute({ callId: 'c', name, input: { city: 'Rome' } })
const { output } = await call('weather')
const { output: ofPlain } = await call('plain')
opened.end()
const sent = await host.send({ settings: { sized: { size: 1 } } }, 'hi').then(() => 'sent', ({ message }) => message)
const response_format = { type: 'json-schema', schema: { type: 'object', properties: { n: { minimum: 1 } } } }
const asked = { enabled_plugins: ['structured-output'], response_format }
const formed = await host.send(asked, 'hi').then(() => 'sent', ({ message }) => message)
await host.close()
console.log(JSON.stringify([logged, output, sent, formed, ofPlain]))
`

describe('a program that Node restricts', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await writeFile(join(folder, 'shout.py'), SHOUT)
  })
  afterEach(() => rm(folder, { recursive: true }))

  const ranWith = (...flags: readonly string[]) => ran(flags)

  async function ran(flags: readonly string[], { options = '', first = '' } = {}) {
    const program = first + PROGRAM(join(folder, 'shout.py'))
    const args = [...flags, '--no-warnings', '--input-type=module', '--eval', program]
    const env = { ...process.env, NODE_OPTIONS: options }
    const { stdout, stderr } = await run(process.execPath, args, { cwd: ROOT, env })
    const [logged, output, sent, formed, ofPlain] = JSON.parse(stdout)
    return { logged: logged.join('\n'), output, sent, formed, ofPlain, stderr }
  }

  const flag = '--disallow-code-generation-from-strings'

  it('is told of the flag in NODE_OPTIONS, with underscores too', async () => {
    const { output, formed } = await ran([], { options: `--${flag.slice(2).replaceAll('-', '_')}` })
    expect([output, formed].every((one) => one.includes(`"${flag}" forbids`))).to.equal(true)
  })

  it('is told of no flag where it has none, as in an environment that generates no code', async () => {
    const { logged, output, sent, formed } = await ran([flag], {
      first: 'process.execArgv.length = 0',
    })
    for (const told of [logged, output, sent, formed]) {
      expect(told).to.contain('generated code, which this environment forbids')
      expect(told).not.to.contain(flag)
    }
  })

  it('is told which flag forbids the code that schemas and Python plugins need', async () => {
    const { logged, output, sent, formed, stderr } = await ranWith(flag)
    const remedy = `needs generated code, which "${flag}" forbids; run Node without this flag.`
    expect(stderr).to.equal('')
    expect(output).to.equal(
      `The tool "weather" of plugin "w" cannot be called, because the check of its values ${remedy}`,
    )
    expect(sent).to.contain(`"configSchema" of feature "sized" cannot be used: `).and.contain(flag)
    expect(formed).to.contain('/response_format').and.contain(flag)
    expect(logged).to.contain(`the Python side did not start: the bridge to it ${remedy}`)
  })

  it('runs a tool whose arguments are seen to be valid without generated code', async () => {
    expect((await ranWith(flag)).ofPlain).to.equal('Sunny')
  })

  it('is told which flag allows the processes that Python plugins need', async () => {
    const [major = 0] = process.versions.node.split('.').map(Number)
    const permission = major < 23 ? '--experimental-permission' : '--permission'
    const { logged, output, sent } = await ranWith(permission, '--allow-fs-read=*')
    expect([output, sent]).to.deep.equal(['Sunny', 'sent'])
    expect(logged).to.contain(
      'allows no child processes. Run Node with "--allow-child-process" too.',
    )
    expect(logged).not.to.contain('Install Python')
  })
})
