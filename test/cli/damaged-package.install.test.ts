import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { installPackages } from '../helpers/installation.ts'
import { braidwork, type Ran } from './command.ts'

const PROVIDER = '@braidwork/provider-openai'
const ANSWER = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }

/** A remedy, or for an empty file, which is valid JavaScript, the place where something was missing. */
const REMEDIES =
  /Install its package again|its module has no default export|build the package|at .*provider-openai|model-api/

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
  let server: Server
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    command = await installPackages(folder, { copied: [PROVIDER] })
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

  const chat = (): Promise<Ran> =>
    braidwork(['chat', 'Hello'], {
      command,
      cwd: folder,
      env: { XDG_CONFIG_HOME: join(folder, 'config') },
    })

  it('answers while it is whole', async () => {
    expect(await chat()).to.include({ status: 0, out: 'Hi\n' })
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
  }
})
