import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { installPackages } from '../helpers/installation.ts'
import { braidwork, type Ran } from './command.ts'

const PROVIDER = '@braidwork/provider-openai'
const ANSWER = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }

/** A remedy, or for an empty file, which is valid JavaScript, the place where something was missing. */
const REMEDIES =
  /Install its package again|its module has no default export|build the package|at .*provider-openai|model-api/

/** The words of the command when its own files are damaged. */
const ONE_LINE =
  /^error [^\n]+\. A module of the command is missing, incomplete or not valid JavaScript\. Install its package again, "braidwork"\.\n$/

/** The bundle's file that the report of an error needs as well. */
async function partOfErrors(folder: string): Promise<string> {
  const names = await readdir(folder)
  const exit = names.find((name) => name.startsWith('exit-')) ?? ''
  const imported = /chunk-\w+\.js/.exec(await readFile(join(folder, exit), 'utf8'))
  return join(folder, imported?.[0] ?? exit)
}

/** How a file of a package can be wrong after an installation that was cut short. */
const DAMAGES = {
  'half written': (path: string, whole: Buffer) =>
    writeFile(path, whole.subarray(0, whole.length / 2)),
  empty: (path: string) => writeFile(path, ''),
  missing: (path: string) => rm(path),
}

describe('braidwork with a damaged package', () => {
  let folder: string
  let command: string
  let bin: string
  let server: Server
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    command = await installPackages(folder, { copied: [PROVIDER] })
    bin = join(dirname(command), '../../bin/braidwork.js')
    const dependencies = { braidwork: '*', [PROVIDER]: '*' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }))
    server = createServer((_request, response) =>
      response.end(`data: ${JSON.stringify(ANSWER)}\n\ndata: [DONE]\n\n`),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const openai = {
      api_key: 'sk-test-0123456789',
      api: 'chat',
      base_url: `http://127.0.0.1:${port}`,
    }
    const config = { provider: 'openai', model: 'gpt-4.1', settings: { openai } }
    await writeFile(join(folder, 'braidwork.json'), JSON.stringify(config))
  })
  after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })

  const chat = (from = command): Promise<Ran> =>
    braidwork(['chat', 'Hello'], {
      command: from,
      cwd: folder,
      env: { XDG_CONFIG_HOME: join(folder, 'config') },
    })

  it('answers while it is whole', async () => {
    for (const each of [command, bin]) {
      expect(await chat(each), each).to.include({ status: 0, out: 'Hi\n', err: '' })
    }
  })

  it('notices a file of its own that was cut between two statements', async () => {
    const whole = await readFile(command, 'utf8')
    await writeFile(command, whole.slice(0, whole.indexOf('process.exitCode =')))
    const { status, out, err } = await chat(bin)
    await writeFile(command, whole)
    expect([status, out]).to.deep.equal([1, ''])
    expect(err).to.match(ONE_LINE)
  })

  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(`says what to do about each file that is ${name}`, async () => {
      const bundle = join(folder, 'node_modules', PROVIDER, 'dist/bundle')
      const files = (await readdir(bundle)).filter((file) => file.endsWith('.js'))
      for (const file of files) {
        const path = join(bundle, file)
        const whole = await readFile(path)
        await damage(path, whole)
        const { status, out, err } = await chat()
        await writeFile(path, whole)
        // The host can do without a compiled validator.
        if (status === 0) expect(out, file).to.equal('Hi\n')
        else expect(err, file).to.match(REMEDIES)
        expect(err, file).to.not.match(/could not be reached/)
      }
    })

    it(`says what to do about a file of the command that is ${name}`, async () => {
      for (const path of [command, await partOfErrors(dirname(command))]) {
        const whole = await readFile(path)
        await damage(path, whole)
        const { status, out, err } = await chat(bin)
        await writeFile(path, whole)
        expect([status, out], path).to.deep.equal([1, ''])
        expect(err, path).to.match(ONE_LINE)
      }
    })
  }
})
