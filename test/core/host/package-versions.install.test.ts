import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Differences, installPackages } from '../../helpers/installation.ts'
import { runFile } from '../../helpers/run-file.ts'

const OTHER = '99.0.0'

describe('packages of two versions in a process', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** What a program prints as JSON. */
  async function printed(code: string, differences: Differences): Promise<unknown> {
    await installPackages(folder, differences)
    const { out, err } = await runFile(folder, 'program.mjs', code)
    expect(err).to.equal('')
    return JSON.parse(out)
  }

  /** The error that a program catches. */
  function caught(imports: string, code: string, differences: Differences): Promise<unknown> {
    const program = `
      import { createHost } from '@braidwork/core'
      ${imports}
      const host = await createHost({ plugins: [] })
      try { ${code} } catch ({ name, code, message }) {
        console.log(JSON.stringify({ name, code, message }))
      }`
    return printed(program, differences)
  }

  /** The diagnostics of a host. */
  function diagnostics(imports: string, plugins: string, differences: Differences) {
    const program = `
      import { createHost } from '@braidwork/core'
      ${imports}
      const host = await createHost({ plugins: ${plugins} })
      await host.load()
      console.log(JSON.stringify(host.diagnostics))
      await host.close()`
    return printed(program, differences)
  }

  const newCore = { versions: { '@braidwork/core': OTHER } }

  for (const [name, imported, call] of [
    ['@braidwork/agent', 'run', "run(host, { messages: 'Hello' })"],
    [
      '@braidwork/server',
      'createServer',
      "await createServer({ host, storage: {}, anonymous: { id: 'ada' } })",
    ],
  ] as const) {
    it(`are refused by ${imported} of "${name}", which says what to install`, async () => {
      const imports = `import { ${imported} } from '${name}'`
      expect(await caught(imports, call, newCore)).to.deep.equal({
        name: 'HostError',
        code: 'PACKAGE_MISMATCH',
        message: `The package "${name}" works with "@braidwork/core" 0.1.0, but "@braidwork/core" ${OTHER} created the host. Run "npm install ${name}@${OTHER}".`,
      })
    })
  }

  it('are told of a plugin in Python, with what to install', async () => {
    await writeFile(join(folder, 'shout.py'), '')
    const found = (await diagnostics('', "['./shout.py']", newCore)) as readonly object[]
    const diagnostic = found.at(-1)
    expect(diagnostic).to.deep.include({ code: 'PACKAGE_MISMATCH', level: 'error' })
    expect(diagnostic)
      .to.have.property('message')
      .that.contains(
        `The package "@braidwork/python" works with "@braidwork/core" 0.1.0, but "@braidwork/core" ${OTHER} created the host. Run "npm install @braidwork/python@${OTHER}".`,
      )
  })

  it('are told of a plugin of Braidwork, which runs', async () => {
    const found = await diagnostics('', "['@braidwork/tool-files']", {
      versions: { '@braidwork/tool-files': OTHER },
    })
    expect(found).to.deep.equal([
      {
        code: 'PACKAGE_MISMATCH',
        level: 'warning',
        message: `The package "@braidwork/tool-files" is ${OTHER}, and "@braidwork/core" is 0.1.0. Run "npm install @braidwork/tool-files@0.1.0".`,
        plugin: 'files',
      },
    ])
  })

  it('have the bundled plugin of the host, whichever version is beside the program', async () => {
    const versions = { '@braidwork/tool-clock': OTHER }
    expect(await diagnostics('', "['@braidwork/tool-clock', 'clock']", { versions })).to.deep.equal(
      [],
    )
  })

  it('are told where a program has imported another @braidwork/plugin', async () => {
    const found = await diagnostics("import '@braidwork/plugin'", '[]', {
      versions: { '@braidwork/plugin': OTHER },
    })
    expect(found).to.deep.equal([
      {
        code: 'PACKAGE_MISMATCH',
        level: 'warning',
        message: `This process has loaded "@braidwork/plugin" ${OTHER}, and "@braidwork/core" is 0.1.0. "npm ls @braidwork/plugin" lists the packages that need it; install version 0.1.0 of them.`,
      },
    ])
  })

  it('are not told of where all have one', async () => {
    const imports = "import '@braidwork/plugin'"
    const found = await diagnostics(imports, "['clock']", { copied: ['@braidwork/tool-clock'] })
    expect(found).to.deep.equal([])
  })
})
