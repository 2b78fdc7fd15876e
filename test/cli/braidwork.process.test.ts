import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { EventChecker, type RunEvent } from '../../src/plugin/events/index.ts'
import { braidwork } from './command.ts'
import { sharedCommand } from './shared-command.ts'

const FAST = ['--set', 'settings.scripted.delay_ms=0']
const CLOCK = ['--set', 'settings.clock.now=2026-11-21T12:00:00Z']

function scripted(then: object): string[] {
  return [...FAST, '--set', `settings.scripted.script=${JSON.stringify([{ then }])}`]
}

describe('braidwork', function () {
  this.timeout(30_000)
  let folder: string
  const command = sharedCommand()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  after(() => rm(folder, { recursive: true }))

  async function configFile(config: unknown): Promise<string> {
    const file = join(folder, `config-${Math.abs(JSON.stringify(config).length)}.json`)
    await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config))
    return file
  }

  describe('chat', () => {
    it('answers a question with tools: the answer on standard output, all else beside it', async () => {
      const { status, out, err } = await braidwork([
        'chat',
        'What is 12 * 34, and what day is it?',
        ...FAST,
        ...CLOCK,
      ])
      expect(status).to.equal(0)
      expect(out).to.equal('12 * 34 = 408, and today is Saturday, 21 November 2026.\n')
      expect(err)
        .to.contain('→ calculate({"expression":"12 * 34"})')
        .and.to.contain('← current_time')
    })

    it('prints every event as a line of JSON', async () => {
      const { out } = await braidwork(['chat', '--json', 'What is 2 + 2?', ...FAST])
      const checker = new EventChecker('run')
      const events = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as RunEvent)
      for (const event of events) checker.check(event)
      expect(events.at(-1)?.type).to.equal('finish')
    })

    it('says why an answer ended early', async () => {
      const ends = (finish_reason: string) =>
        braidwork(['chat', 'hi', ...scripted({ text: 'Well', finish_reason })])
      expect((await ends('content-filter')).err).to.contain(
        'warning The answer ended early: the provider filtered it.',
      )
      expect((await ends('length')).err).to.contain('it reached the limit of tokens.')
      expect((await ends('stop')).err).not.to.contain('ended early')
    })

    it('prints once what is wrong with the config, however many answers there are', async () => {
      const wrong = ['--set', 'disabled_plugins=["calculater"]']
      const { status, err } = await braidwork(['chat', ...FAST, ...wrong], {
        input: 'Hi\nHi again\n',
      })
      expect(status).to.equal(0)
      expect(err.match(/"calculater" in disabled_plugins/g)).to.have.length(1)
    })

    it('holds a conversation, a line a turn', async () => {
      const { status, out } = await braidwork(['chat', ...FAST], {
        input: 'My name is Ada\n\nWhat is my name?\n',
      })
      expect(status).to.equal(0)
      expect(out.trim().split('\n').at(-1)).to.equal('Your name is Ada.')
    })

    it('reads the question from standard input where it is "-"', async () => {
      const { out } = await braidwork(['chat', '-', ...FAST], { input: 'What is 3 * 3?\n' })
      expect(out).to.contain('9')
    })

    it('makes control sequences of the model visible', async () => {
      const { out } = await braidwork(['chat', 'x', ...scripted({ text: 'a\u001b[2Jb\u202ec' })])
      expect(out).to.equal('a␛[2Jb<U+202E>c\n')
    })

    it('stops the answer at Ctrl-C', async () => {
      let isStopped = false
      const { status, out } = await braidwork(
        [
          'chat',
          'x',
          ...scripted({ text: 'one two three', fault: { type: 'stall', after_chunks: 2 } }),
        ],
        {
          onOutput: (_out, kill) => {
            if (!isStopped) kill('SIGINT')
            isStopped = true
          },
        },
      )
      expect(status).to.equal(130)
      expect(out).to.match(/^one/)
    })

    it('ends at the second Ctrl-C, whatever hangs', async () => {
      const plugin = join(folder, 'stuck.mjs')
      await writeFile(
        plugin,
        `export default {
          kind: 'extension', name: 'stuck',
          close: async () => { process.stdout.write('closing'); await new Promise((resolve) => setTimeout(resolve, 20_000)) },
        }`,
      )
      let sent = 0
      const { status } = await braidwork(
        [
          'chat',
          'x',
          ...scripted({ text: 'one two', fault: { type: 'stall', after_chunks: 2 } }),
          '--config',
          await configFile({ plugins: ['./stuck.mjs'] }),
        ],
        {
          onOutput: (out, kill) => {
            if (sent === 0 || (sent === 1 && out.includes('closing'))) kill('SIGINT')
            sent = out.includes('closing') ? 2 : 1
          },
        },
      )
      expect(status).to.equal(130)
    })

    it('goes on with the conversation after an answer that was stopped', async () => {
      const script = [
        {
          when: { text: 'stall' },
          then: { text: 'one two', fault: { type: 'stall', after_chunks: 2 } },
        },
        { then: { text: 'still here' } },
      ]
      let isStopped = false
      const { status, out } = await braidwork(
        ['chat', ...FAST, '--set', `settings.scripted.script=${JSON.stringify(script)}`],
        {
          input: 'stall\ngo on\n',
          onOutput: (text, kill) => {
            if (text.includes('one') && !isStopped) kill('SIGINT')
            isStopped = true
          },
        },
      )
      expect(status).to.equal(0)
      expect(out).to.contain('still here')
    })

    it('says on standard error what went wrong, with the code and a remedy', async () => {
      const { status, out, err } = await braidwork([
        'chat',
        'x',
        ...scripted({ fault: { type: 'rate-limit', retry_after: 7 } }),
      ])
      expect(status).to.equal(1)
      expect(out).to.equal('')
      expect(err).to.contain('RATE_LIMITED').and.to.contain('The provider asks you to wait 7 s.')
    })

    it('shows with --trace what each hook changed, and no secret', async () => {
      const plugin = join(folder, 'keyed.mjs')
      await writeFile(
        plugin,
        `export default {
        kind: 'extension', name: 'keyed',
        configSchema: { type: 'object', properties: { key: { type: 'string', writeOnly: true } } },
        init: (config, state) => ({ ...state, key: config.settings.keyed.key }),
      }`,
      )
      const file = await configFile({
        plugins: ['./keyed.mjs'],
        settings: { keyed: { key: '${env:KEYED_KEY}' } },
      })
      const { out, err } = await braidwork(['chat', 'hi', '--trace', '--config', file, ...FAST], {
        env: { KEYED_KEY: 'very-secret-7' },
      })
      expect(err).to.match(/init +keyed +state key="\*\*\*"/)
      expect(err).to.match(/processChunk +scripted +partials/)
      expect(out + err).to.not.contain('very-secret-7')
    })
  })

  describe('chat, beside the answer', () => {
    it('gives each line of --trace a line of its own, and leaves the answer whole', async () => {
      const { out, err } = await braidwork(['chat', 'What is 2 + 2?', '--trace', ...FAST])
      expect(out).to.equal('2 + 2 = 4.\n')
      expect(err).to.match(/^processChunk /m)
      expect(err).to.not.match(/^.+(?:processChunk|fromNative) /m)
    })

    it('shows the calls that the provider ran itself', async () => {
      const call = { name: 'search', input: { query: 'sky' }, output: 'blue' }
      const { err } = await braidwork(['chat', 'x', ...scripted({ tool_calls: [call] })])
      expect(err).to.equal('→ search({"query":"sky"})\n← search: blue\n')
    })

    it('says where the answer ends before it is done', async () => {
      const steps = await command(['chat', 'What is 2 + 2?', '--max-steps', '1', ...FAST])
      expect([steps.status, steps.out]).to.deep.equal([0, ''])
      expect(steps.err).to.contain('ended early').and.to.contain('--max-steps')
      const length = ['--set', 'max_output_tokens=2']
      const cut = await command(['chat', 'x', ...scripted({ text: 'a b c' }), ...length])
      expect(cut.out).to.equal('a b\n')
      expect(cut.err).to.contain('ended early').and.to.contain('tokens')
    })
  })

  describe('explain', () => {
    it('prints a table that a person can read', async () => {
      const { status, out } = await braidwork(['explain', '--model', 'scripted-mini', ...FAST])
      expect(status).to.equal(0)
      expect(out).to.match(/provider scripted, model scripted-mini, tags/)
      expect(out).to.match(
        /calculator +tool +off +1 +missing tags: tools +set model to "scripted-1"/,
      )
    })

    it('says what turns a plugin on with another provider, or what prevents it', async () => {
      const cached = await command(['explain', 'prompt-cache', ...FAST])
      expect(cached.out).to.match(
        /add "prompt-cache" to enabled_plugins and set provider to "anthropic"\n/,
      )
      const named = await command(['explain', 'prompt-cache', '--model', 'scripted-1', ...FAST])
      expect(named.out).to.match(/set provider to "anthropic" and model to "claude-[\w-]+"\n/)
      const format = await command(['explain', 'structured-output', ...FAST])
      expect(format.out).to.contain('(it reads provider, response_format, settings)')
      const json = await command(['explain', 'structured-output', '--json', ...FAST])
      const { explain } = JSON.parse(json.out) as { explain: { obstacle: unknown }[] }
      expect(explain[0]?.obstacle).to.deep.include({ rule: 'own verdict', unprovided: [] })
    })

    it('prints the resolution and its reasons as JSON', async () => {
      const { out } = await command(['explain', 'clock', '--json'])
      const { explain, provider } = JSON.parse(out) as {
        explain: { plugin: string; on: boolean }[]
        provider: string
      }
      expect(provider).to.equal('scripted')
      expect(explain.map(({ plugin, on }) => [plugin, on])).to.deep.equal([['clock', true]])
    })
  })

  describe('tools', () => {
    it('LT-08 lists with --all every registered tool, offered or not, with the reason', async () => {
      const { out } = await command(['tools', '--all', '--model', 'scripted-mini'])
      expect(out).to.match(/^TOOL +PLUGIN +POLICY +TOUCHES +WHY$/m)
      expect(out).to.match(/^calculator +calculator +unavailable +missing tags: tools$/m)
      expect(out).to.match(/^fetch +fetch +unavailable +off by default$/m)
      const { status, err } = await command(['tools', '--all', '--for', 'anthropic'])
      expect(status).to.equal(2)
      expect(err).to.include('--all')
    })

    it('lists the tools that are on', async () => {
      const { out } = await braidwork(['tools'])
      expect(out).to.match(/^TOOL +PLUGIN +DESCRIPTION\ncalculate +calculator +\S/)
    })

    it('prints their schemas for an API, and knows which there are', async () => {
      const { out } = await command(['tools', '--for', 'anthropic'])
      const [calculate] = JSON.parse(out) as { format: string; strict: boolean; lost: object[] }[]
      expect(calculate).to.include({ format: 'anthropic', strict: true })
      expect(calculate?.lost[0]).to.have.all.keys('pointer', 'keyword', 'reason', 'effect')
      const { status, err } = await command(['tools', '--for', 'gemini'])
      expect([status, err.includes('openai-strict')]).to.deep.equal([2, true])
    })

    it('says where there is none', async () => {
      const { status, out, err } = await command(['tools', '--model', 'scripted-mini'])
      expect([status, out]).to.deep.equal([0, ''])
      expect(err).to.contain('explain')
    })
  })

  describe('plugins', () => {
    it('lists what is found, without running it', async () => {
      const { status, out } = await braidwork(['plugins', '--json'], { cwd: folder })
      expect(status).to.equal(0)
      expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).to.deep.equal([
        'ask-user',
        'calculator',
        'clock',
        'instructions',
        'scripted',
        'think-tags',
      ])
    })
  })

  describe('config check', () => {
    it('is content with a good config', async () => {
      const file = await configFile({ temperature: 0.5 })
      const { status, out, err } = await braidwork(['config', 'check', '--config', file], {
        cwd: folder,
      })
      expect([status, out, err]).to.deep.equal([0, '0 errors, 0 warnings\n', ''])
    })

    it('says everything that is wrong', async () => {
      const file = await configFile({
        temprature: 1,
        disabled_plugins: ['clok'],
        settings: { scripted: { delay: 1 } },
      })
      const { status, out, err } = await command(['config', 'check', '--config', file], {
        cwd: folder,
      })
      expect([status, out]).to.deep.equal([2, '1 error, 2 warnings\n'])
      expect(err)
        .to.contain('Did you mean "temperature"?')
        .and.to.contain('Did you mean "clock"?')
        .and.to.contain('SETTINGS_INVALID')
    })
  })

  it('says in which line a hook threw', async () => {
    const plugin = join(folder, 'thrower.mjs')
    const init = '\n  init: () => {\n    throw new TypeError("no")\n  },\n'
    await writeFile(plugin, `export default { kind: "feature", name: "thrower",${init}}`)
    const file = await configFile({ plugins: [plugin] })
    const { status, err } = await braidwork(['chat', 'x', '--config', file], { cwd: folder })
    expect(status).to.equal(1)
    expect(err)
      .to.include('HOOK_FAILED')
      .and.match(/\nat .*thrower\.mjs:3\n/)
  })

  describe('bad input', () => {
    const wrong: [title: string, args: string[], says: string][] = [
      ['an unknown provider', ['chat', 'x', '--provider', 'scriptd'], 'Did you mean "scripted"?'],
      ['a config file that is not there', ['chat', 'x', '--config', 'none.json'], 'CONFIG_INVALID'],
      ['a --set without a value', ['chat', 'x', '--set', 'temperature'], 'KEY=VALUE'],
      ['a --set with a key that is empty', ['chat', 'x', '--set', 'settings..x=1'], 'KEY=VALUE'],
      ['a --set into the prototype', ['chat', 'x', '--set', 'settings.__proto__.x=1'], '__proto__'],
      ['a wrong value', ['chat', 'x', '--set', 'temperature=hot'], '/temperature'],
      ['an empty question', ['chat', ' '], 'MESSAGES_INVALID'],
      ['a plugin to explain that is not there', ['explain', 'clok'], 'Did you mean "clock"?'],
      ['an unknown option', ['chat', '--color'], "unknown option '--color'"],
      ['an unknown command', ['chta'], "unknown command 'chta'"],
      [
        'a number of steps that is none',
        ['chat', 'x', '--max-steps', '0'],
        'must be a whole number',
      ],
    ]
    for (const [title, args, says] of wrong) {
      it(`ends with status 2 for ${title}, and says why on standard error`, async () => {
        const { status, out, err } = await command(args, { cwd: folder })
        expect([status, out]).to.deep.equal([2, ''])
        expect(err).to.contain(says)
      })
    }

    it('names the file and the place of a config that is no JSON', async () => {
      const file = await configFile('{"temperature": }')
      const { status, err } = await braidwork(['chat', 'x', '--config', file])
      expect(status).to.equal(2)
      expect(err).to.contain('is not JSON')
    })

    it('ends quietly where its reader has enough', async () => {
      const { status, err } = await braidwork(
        ['chat', 'x', ...scripted({ text: 'word '.repeat(20_000) })],
        {
          hasEnough: true,
          cwd: folder,
        },
      )
      expect([status, err]).to.deep.equal([0, ''])
    })
  })
})
