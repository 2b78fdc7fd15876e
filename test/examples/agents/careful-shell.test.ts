import { watch } from 'node:fs'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect } from 'chai'
import type { ConfigLayer } from '../../../src/core/index.ts'
import { waitForEnd } from '../../helpers/processes.ts'
import { answered } from './answered.ts'
import { type Changes, calling, callsIn, Example, endsIn } from './example.ts'

const inspect = (program: string, ...args: readonly string[]) => ({
  name: 'inspect',
  input: { program, arguments: args },
})
const change = (program: string, ...args: readonly string[]) => ({
  name: 'change',
  input: { program, arguments: args },
})

/** Settings of the example with programs that only a test allows. */
const shell = (settings: object): ConfigLayer => ({ settings: { shell: { ...settings } } })

describe('the example careful-shell', () => {
  const open: Example[] = []
  before(function () {
    if (process.platform !== 'win32') return
    process.stderr.write('"careful-shell" is skipped: Windows has no process groups\n')
    this.skip()
  })
  afterEach(async () => {
    for (const example of open.splice(0)) await example.close()
  })

  async function opened(changes: Changes = {}): Promise<Example> {
    const example = await Example.open('careful-shell', changes)
    open.push(example)
    return example
  }

  it('runs what only reads at once, and what changes after an approval', async () => {
    const example = await opened()
    const ran = await answered(example, 'Please archive the report.', () => ({ approved: true }))
    expect(ran.asked.map(({ name, input }) => [name, input])).to.deep.equal([
      ['change', { program: 'mkdir', arguments: ['archive'] }],
      ['change', { program: 'mv', arguments: ['-n', 'report.txt', 'archive'] }],
    ])
    expect(await readdir(example.at('work', 'archive'))).to.deep.equal(['report.txt'])
    expect(endsIn(ran.events)).to.deep.equal(callsIn(ran.result))
    const started = ran.events.flatMap((event) =>
      event.type === 'tool-execution-start' ? [[event.name, event.policy?.decision]] : [],
    )
    expect(started.map(([name]) => name)).to.deep.equal(['inspect', 'change', 'change'])
  })

  it('changes nothing that was refused, and tells the model', async () => {
    const example = await opened()
    const { result } = await answered(example, 'archive', () => ({ approved: false }))
    expect(await readdir(example.at('work'))).to.deep.equal(['report.txt'])
    expect(callsIn(result).map((call) => call.class)).to.deep.equal([
      undefined,
      'approval_rejected',
      'approval_rejected',
    ])
  })

  it('neither offers nor runs what the agent is denied, whatever the config says', async () => {
    const remove = { name: 'remove', input: { program: 'rm', arguments: ['report.txt'] } }
    const example = await opened({
      script: calling(remove),
      config: { tool_policy: { 'shell.remove': 'allow' } },
    })
    const { tools } = await example.runtime.resolve('careful-shell')
    const offered = tools.filter((tool) => tool.offered).map(({ tool_name: name }) => name)
    expect(offered).to.deep.equal(['inspect', 'change'])
    const ran = await answered(example, 'Remove it.', () => ({ approved: true }))
    expect(ran.asked).to.deep.equal([])
    expect(callsIn(ran.result).map((call) => call.class)).to.deep.equal(['permission_denied'])
    expect(await readdir(example.at('work'))).to.deep.equal(['report.txt'])
  })

  for (const [title, call] of [
    ['a program that is not listed', inspect('sh', '-c', 'id')],
    ['a program of another group', inspect('rm', 'report.txt')],
    ['a path to a program', inspect('/bin/cat', 'report.txt')],
    ['an option that is not listed', inspect('ls', '--recursive')],
    ['an absolute path', inspect('cat', '/etc/passwd')],
    ['a path that leaves the folder', inspect('cat', '../braidwork.json')],
    ['a path through a link', inspect('cat', 'out/braidwork.json')],
    ['a path through a link and up', inspect('cat', 'in/../braidwork.json')],
    ['a new file behind a link', change('touch', 'out/new')],
    ['a link to a file that does not exist yet', change('touch', 'later')],
    ['an option with a path', inspect('wc', '--files0-from=/etc/passwd')],
    ['a NUL', inspect('cat', 'report.txt\0')],
    ['a member of Object as a program', inspect('constructor')],
  ] as const) {
    it(`refuses ${title}`, async () => {
      const config = { tool_policy: { 'shell.change': 'allow' } } as const
      const example = await opened({ script: calling(call), config })
      await symlink(example.folder, example.at('work', 'out'))
      await symlink(example.at('agents'), example.at('work', 'in'))
      await symlink(example.at('new'), example.at('work', 'later'))
      const before = await readdir(example.folder)
      const calls = callsIn(await example.result())
      expect(calls.map((one) => one.class)).to.deep.equal(['invalid_arguments'])
      expect(await readdir(example.folder)).to.deep.equal(before)
    })
  }

  it('gives arguments to the program as they are: nothing of a shell happens', async () => {
    const script = calling(inspect('cat', '$(id)'), inspect('ls', '*'), inspect('cat', 'a; ls'))
    const example = await opened({ script })
    await writeFile(example.at('work', '$(id)'), 'a name like any other')
    const [named, star, both] = callsIn(await example.result())
    expect(named?.output).to.deep.equal({ exit_code: 0, output: 'a name like any other' })
    expect(star?.class).to.equal('execution_failed')
    expect(both?.class).to.equal('execution_failed')
  })

  it('cuts long output, and ends the program that prints it', async () => {
    const config = shell({ inspect: { yes: [] }, max_output_bytes: 1_000 })
    const example = await opened({ script: calling(inspect('yes')), config })
    const [call] = callsIn(await example.result())
    expect(call?.output).to.deep.include({ exit_code: 'SIGKILL' })
    expect(call?.output).to.have.property('killed', 'stopped after 1000 bytes of output')
    expect(call?.output).to.have.property('output').with.length(1_000)
  })

  it('ends a program, and all that it has started, when its time is over', async () => {
    const config = shell({ inspect: { sh: [] }, timeout_seconds: 0.5 })
    const example = await opened({ script: calling(inspect('sh', 'long.sh')), config })
    const text = 'sleep 600 & echo $! >child.txt; echo $$ >own.txt; wait'
    await writeFile(example.at('work', 'long.sh'), text)
    const [call] = callsIn(await example.result())
    expect(call?.output).to.have.property('killed', 'stopped after 0.5 seconds')
    await expectEnd(example.at('work', 'child.txt'))
    await expectEnd(example.at('work', 'own.txt'))
  })

  it('ends what a program leaves behind, and does not wait for it', async () => {
    const config = shell({ inspect: { sh: [] } })
    const example = await opened({ script: calling(inspect('sh', 'left.sh')), config })
    await writeFile(example.at('work', 'left.sh'), 'sleep 600 & echo $! >child.txt; echo done')
    const [call] = callsIn(await example.result())
    expect(call?.output).to.deep.equal({ exit_code: 0, output: 'done\n' })
    await expectEnd(example.at('work', 'child.txt'))
  })

  it('does not wait for a process that has left the group of its program', async function () {
    if (process.platform !== 'linux') {
      process.stderr.write('a process that leaves its group is not tried: there is no setsid\n')
      return this.skip()
    }
    const config = shell({ inspect: { sh: [] }, timeout_seconds: 1 })
    const example = await opened({ script: calling(inspect('sh', 'own.sh')), config })
    const left = `setsid sh -c 'echo $$ >child.txt; exec sleep 600' &`
    const text = `${left} while [ ! -s child.txt ]; do sleep 0.01; done; echo done`
    await writeFile(example.at('work', 'own.sh'), text)
    const [call] = callsIn(await example.result())
    const output = { exit_code: 0, output: 'done\n', killed: 'stopped after 1 seconds' }
    expect(call?.output).to.deep.equal(output)
    process.kill(Number(await example.text('work', 'child.txt')), 'SIGKILL')
    await expectEnd(example.at('work', 'child.txt'))
  })

  it('ends the program of a run that is cancelled', async () => {
    const config = shell({ inspect: { sh: [] } })
    const example = await opened({ script: calling(inspect('sh', 'long.sh')), config })
    await writeFile(
      example.at('work', 'long.sh'),
      'sleep 600 & echo $! >child.txt; echo $$ >own.txt; mv own.txt ready.txt; wait',
    )
    const cancel = new AbortController()
    const running = example.result({ signal: cancel.signal })
    const ready = await written(example.at('work', 'ready.txt'))
    cancel.abort('enough')
    expect((await running).status).to.equal('aborted')
    await expectEnd(ready)
    await expectEnd(example.at('work', 'child.txt'))
  })

  it('hands no variable of this process to a program', async () => {
    process.env['HA_PRIVATE_KEY'] = 'sk-1'
    try {
      const config = shell({ inspect: { env: [] } })
      const example = await opened({ script: calling(inspect('env')), config })
      const [call] = callsIn(await example.result())
      const { output } = Object(call?.output) as { readonly output: string }
      expect(output)
        .to.match(/^PATH=/m)
        .and.not.include('sk-1')
    } finally {
      delete process.env['HA_PRIVATE_KEY']
    }
  })

  it('says that a program or a folder is not there', async () => {
    const config = shell({ inspect: { 'no-such-program': [] } })
    const example = await opened({ script: calling(inspect('no-such-program')), config })
    const [call] = callsIn(await example.result())
    expect(String(call?.output)).to.include('The program cannot run (ENOENT).')
    const nowhere = await opened({
      script: calling(inspect('ls')),
      config: shell({ folder: 'no' }),
    })
    const [lost] = callsIn(await nowhere.result())
    expect(lost?.class).to.equal('execution_failed')
    expect(String(lost?.output)).to.include('"settings.shell.folder" cannot be used (ENOENT).')
  })
})

/** Waits until a file is there. */
function written(path: string): Promise<string> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), () => void check())
    const check = async (): Promise<void> => {
      const text = await readFile(path, 'utf8').catch(() => '')
      if (!text.endsWith('\n')) return
      watcher.close()
      resolve(path)
    }
    // It may have been there before the watch began.
    void check()
  })
}

/** Waits until the process whose id is in a file has ended. */
async function expectEnd(path: string): Promise<void> {
  const pid = Number(await readFile(path, 'utf8'))
  expect(pid).to.be.above(1)
  expect(await waitForEnd([pid])).to.deep.equal([])
}
