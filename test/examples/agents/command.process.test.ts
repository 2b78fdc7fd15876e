import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { braidwork, type Ran } from '../../cli/command.ts'
import { sharedCommand } from '../../cli/shared-command.ts'
import { pythonOf } from '../../helpers/python.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { hasTerminal, Terminal } from '../../helpers/terminal.ts'
import { copyOf, EXAMPLES } from './example.ts'

const run = promisify(execFile)

/** What each agent has written after the commands of the README: a file, and what is in it. */
const WRITTEN = [
  [
    'notes-keeper',
    /^notes\/kept\.md$/,
    /^Please keep this: the spare key is in the blue vase\.\n$/,
  ],
  ['interviewer', /^records\/[\w-]+\.json$/, /"unanswered": "The question was not answered/],
  ['researcher', /^documents\/tides\.md$/, /^# Tides/],
  ['careful-shell', /^work\/report\.txt$/, /^The bridge was painted/],
  ['debate', /^agents\/opponent\.md$/, /the motion of a debate/],
  ['plan-and-work', /^agents\/counter\.md$/, /Use the calculator/],
  ['review', /^agents\/reviewer\.md$/, /You review drafts/],
  ['python-clerk', /^books\/ledger\.csv$/, /,bread for breakfast,-4\.50\r?\n/],
] as const

describe('the examples of agents, from the command line', function () {
  this.timeout(60_000)
  let folder: string
  let env: NodeJS.ProcessEnv

  before(async function () {
    await pythonOf(this)
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function enter(name: string): Promise<void> {
    folder = await copyOf(name)
    env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') }
  }

  const ask = (args: readonly string[], input = ''): Promise<Ran> =>
    braidwork(args, { cwd: folder, env, input })

  const command = sharedCommand()
  const askShared = (args: readonly string[]): Promise<Ran> => command(args, { cwd: folder, env })

  for (const [name, file, content] of WRITTEN) {
    it(`trusts, checks and runs ${name} by the commands of the README`, async () => {
      await enter(name)
      // One example is checked and trusted by processes of their own.
      const check = name === 'notes-keeper' ? ask : askShared
      expect((await check(['agents', 'check'])).err).to.include('not trusted')
      for (const args of await commandsOf(name)) {
        const { status, err } = await (args[0] === 'chat' ? ask : check)(args)
        expect(status, err).to.equal(0)
        if (args[0] === 'agents') expect(err).to.equal('')
      }
      const names = await readdir(folder, { recursive: true })
      const written = names.filter((path) => file.test(path))
      expect(written).to.have.length(1)
      expect(await readFile(join(folder, written[0]!), 'utf8')).to.match(content)
    })

    it(`runs ${name} from a few lines of a program`, async () => {
      await enter(name)
      await cp(join(EXAMPLES, 'program.mjs'), join(folder, 'program.mjs'))
      await mkdir(join(folder, 'node_modules'))
      await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
      const said = 'bread for breakfast: keep and count it'
      const args = ['program.mjs', name, said]
      const { stdout } = await run(process.execPath, args, { cwd: folder, env: plain() })
      const reason = name === 'interviewer' ? 'suspended' : 'natural_end'
      expect(stdout).to.include(`{ reason: '${reason}' }`)
    })
  }

  it('says how a program is called, and why its run failed', async () => {
    await enter('notes-keeper')
    await cp(join(EXAMPLES, 'program.mjs'), join(folder, 'program.mjs'))
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
    const failed = (...args: readonly string[]) =>
      run(process.execPath, ['program.mjs', ...args], { cwd: folder, env: plain() }).then(
        () => expect.fail('It did not fail.'),
        ({ code, stderr }: { readonly code: number; readonly stderr: string }) => [code, stderr],
      )
    expect(await failed()).to.deep.equal([2, 'Usage: node ../program.mjs AGENT TEXT\n'])
    const config = join(folder, 'braidwork.json')
    const { provider: _, ...rest } = JSON.parse(await readFile(config, 'utf8'))
    const script = { scripted: { script: [{ then: { error: { message: 'No.' } } }] } }
    await writeFile(config, JSON.stringify({ ...rest, provider: 'scripted', settings: script }))
    const [code, text] = await failed('notes-keeper', 'Go.')
    expect(code).to.equal(1)
    expect(text)
      .to.match(/^.+\n$/)
      .and.not.include('TypeError')
  })

  it('says why the researcher ended early, and that nobody approved a change', async () => {
    await enter('researcher')
    const config = ['--config', 'braidwork.json']
    const ended = await ask(['chat', ...config, '--agent', 'researcher', 'Tell me everything.'])
    expect(ended.status).to.equal(0)
    expect(ended.err.match(/^← search/gm)).to.have.length(3)
    expect(ended.err).to.include('The answer ended early: the feature "budget": The budget is 3')
    await rm(folder, { recursive: true })
    await enter('careful-shell')
    const refused = await ask(['chat', ...config, '--agent', 'careful-shell', 'archive it'])
    expect(refused.err).to.include('no terminal to ask in')
    expect(await readdir(join(folder, 'work'))).to.deep.equal(['report.txt'])
  })

  it('asks the questions of the interviewer from a program, until each answer fits', async () => {
    await enter('interviewer')
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
    const running = run(process.execPath, ['program.mjs', 'Go.'], { cwd: folder, env: plain() })
    running.child.stdin?.end('Lisbon\nship\ntrain\n0\nthree\n3\n')
    const { stdout } = await running
    expect(stdout.match(/How do you travel/g)).to.have.length(2)
    expect(stdout.match(/How many people/g)).to.have.length(3)
    const [name = ''] = await readdir(join(folder, 'records'))
    const record: unknown = JSON.parse(await readFile(join(folder, 'records', name), 'utf8'))
    expect(record).to.have.deep.property('interview', [
      { question: 'Where do you go?', answer: 'Lisbon' },
      { question: 'How do you travel?', answer: 'train' },
      { question: 'How many people travel?', answer: 3 },
    ])
  })

  describe('in a terminal', () => {
    before(function () {
      if (hasTerminal()) return
      process.stderr.write('"in a terminal" is skipped: python3 has no pseudo-terminals here\n')
      this.skip()
    })

    const chat = (name: string, text: string): Terminal =>
      new Terminal(['chat', '--config', 'braidwork.json', '--agent', name, text], {
        cwd: folder,
        env,
      })

    it('the interviewer asks until an answer fits, and keeps what was said', async () => {
      await enter('interviewer')
      const terminal = chat('interviewer', 'I want to travel.')
      await terminal.sees('Where do you go?')
      terminal.type('Lisbon\r')
      await terminal.sees('How do you travel?')
      terminal.type('ship\r')
      await terminal.sees('It must be one of')
      terminal.type('3\r')
      await terminal.sees('How many people travel?')
      terminal.type('\r')
      await terminal.sees('I have kept your answers.')
      expect((await terminal.ends()).status).to.equal(0)
      const [name = ''] = await readdir(join(folder, 'records'))
      const text = await readFile(join(folder, 'records', name), 'utf8')
      expect(text).to.include('"answer": "bicycle"').and.include('declined')
    })

    it('the careful shell asks before each change, and makes those that are approved', async () => {
      await enter('careful-shell')
      const terminal = chat('careful-shell', 'Please archive the report.')
      await terminal.sees(/mkdir[\s\S]*\?/)
      terminal.type('y\r')
      await terminal.sees(/report\.txt[\s\S]*\?/)
      terminal.type('n\r')
      await terminal.sees('Done as far as it was allowed.')
      expect((await terminal.ends()).status).to.equal(0)
      expect(await readdir(join(folder, 'work'))).to.have.members(['archive', 'report.txt'])
    })
  })
})

/** The commands of the README for an agent, without those that only show a program. */
async function commandsOf(name: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(join(EXAMPLES, 'README.md'), 'utf8')
  const lines = [...text.matchAll(/^npx braidwork (.*)$/gm)].map(([, line = '']) => line)
  const commands = lines.map((line) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  )
  const own = commands.filter((args) => !args.includes('--agent') || args.includes(name))
  expect(own.length).to.be.at.least(3)
  return own
}

/** The variables of a program, without what the test runner sets for Node. */
function plain(): NodeJS.ProcessEnv {
  return { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, NODE_OPTIONS: '' }
}
