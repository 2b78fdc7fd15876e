import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { braidwork } from './command.ts'
import { sharedCommand } from './shared-command.ts'

const CONFIG = {
  provider: 'scripted',
  settings: { scripted: { delay_ms: 0 } },
  models: { small: { provider_id: 'scripted', upstream_model: 'scripted-1' } },
  agents: { coder: { model_id: 'small', description: 'Writes code.', max_rounds: 3 } },
}
const HELPER = `---
description: Calculates.
model_id: small
allowed_tools: [calculate]
---
You are a calculator.
`

describe('braidwork agents', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    await mkdir(join(folder, 'agents'))
    await write('braidwork.json', JSON.stringify(CONFIG))
    await write('agents/helper.md', HELPER)
  })
  afterEach(() => rm(folder, { recursive: true }))

  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  const command = sharedCommand()
  const ask = (...args: readonly string[]) =>
    command([...args, '--config', 'braidwork.json'], { cwd: folder })

  const askAlone = (...args: readonly string[]) =>
    braidwork([...args, '--config', 'braidwork.json'], { cwd: folder })

  it('lists the agents of the config and of the files beside it', async () => {
    const { status, out, err } = await askAlone('agents')
    expect([status, err]).to.deep.equal([0, ''])
    expect(out).to.match(/^coder +small +Writes code\.$/m)
    expect(out).to.match(/^helper +small +Calculates\.$/m)
    const { out: json } = await ask('agents', 'list', '--json')
    expect((JSON.parse(json) as readonly { id: string }[]).map(({ id }) => id)).to.deep.equal([
      'coder',
      'helper',
    ])
  })

  it('names the field of the agent where its step limit ends an answer', async () => {
    await write('agents/helper.md', HELPER.replace('---\nYou', 'max_rounds: 1\n---\nYou'))
    const { err } = await ask('chat', '--agent', 'helper', 'What is 6 * 7?')
    expect(err).to.include('--max-steps, or "max_rounds" of the agent "helper".')
  })

  it('says how to declare one where there is none', async () => {
    await rm(join(folder, 'agents'), { recursive: true })
    await write('braidwork.json', '{"provider": "scripted"}')
    const { status, out, err } = await ask('agents')
    expect([status, out]).to.deep.equal([0, ''])
    expect(err).to.include('agents/<id>.md')
  })

  it('says that files without a config beside them declare none', async () => {
    await rm(join(folder, 'braidwork.json'))
    const { out, err } = await braidwork(['agents'], { cwd: folder })
    expect(out).to.equal('')
    expect(err)
      .to.include('The files in "./agents" declare no agents')
      .and.include('braidwork trust')
  })

  it('says why an agent is not there whose spec is not valid, and does not say that there are none', async () => {
    await write('braidwork.json', '{"provider": "scripted"}')
    await write('agents/helper.md', '---\nmax_round: 4\n---\n')
    for (const args of [
      ['chat', '--agent', 'helper', 'Go.'],
      ['agents', 'explain', 'helper'],
      ['agents'],
    ]) {
      const { status, err } = await ask(...args)
      expect(status, err).to.equal(2)
      expect(err).to.include('Did you mean "max_rounds"?').and.not.include('No agent is declared')
    }
  })

  it('runs no agent that is declared in the config and in a file, and names both places', async () => {
    const config = { ...CONFIG, agents: { ...CONFIG.agents, helper: {} } }
    await write('braidwork.json', JSON.stringify(config, null, 1))
    const line = JSON.stringify(config, null, 1).split('\n').indexOf('  "helper": {}') + 1
    const said = `error SPEC_INVALID: The agent "helper" is declared twice: in "${join(folder, 'braidwork.json')}:${line}:3" and in "agents/helper.md". Rename or remove one of them.\n`
    for (const args of [
      ['agents', 'check'],
      ['config', 'check'],
      ['chat', '--agent', 'helper', 'Go.'],
    ]) {
      const { status, err } = await ask(...args)
      expect(status, err).to.equal(2)
      expect(err).to.include(said)
    }
  })

  it('refuses an agent that refers to a variable that is not set', async () => {
    const text = '---\nconfig: { settings: { scripted: { script_file: "${env:NO_SUCH}" } } }\n---\n'
    await write('agents/helper.md', text)
    for (const args of [
      ['agents', 'check'],
      ['config', 'check'],
      ['chat', '--agent', 'helper', 'Go.'],
    ]) {
      const { status, err } = await ask(...args)
      expect(status, err).to.equal(2)
      expect(err)
        .to.include('error ENV_MISSING: The agent "helper" in ')
        .and.include('at /config/settings/scripted/script_file')
        .and.include('"NO_SUCH", which is not set.')
    }
    expect((await ask('chat', '--agent', 'coder', 'Go.')).out).to.not.equal('')
  })

  it('warns in a chat of what of the spec does nothing', async () => {
    await write('agents/helper.md', '---\nallowed_tools: [calculat]\n---\n')
    const { status, err } = await ask('chat', '--agent', 'helper', 'Go.')
    expect(status, err).to.equal(0)
    expect(err).to.include('warning CATALOG_ENTRY_UNUSED: Agent "helper", allowed_tools: ')
    expect(err).to.include('Did you mean "calculate"?')
  })

  it('checks every agent, and ends with 2 if one cannot run', async () => {
    const good = await askAlone('agents', 'check')
    expect([good.status, good.out]).to.deep.equal([0, '2 agents, 0 errors, 0 warnings\n'])
    await write('agents/lost.md', '---\nmodel_id: smal\n---\n')
    await write('agents/odd.md', '---\nexcluded_tools: ["*"]\n---\n')
    await write('agents/bad.md', '---\nmodel: small\n---\n')
    const { status, out, err } = await ask('agents', 'check')
    expect([status, out]).to.deep.equal([2, '5 agents, 2 errors, 1 warning\n'])
    expect(err).to.match(
      /SPEC_INVALID: .*bad\.md is not valid at \/model: .*Did you mean "model_id"\?/,
    )
    expect(err).to.match(/MODEL_NOT_FOUND: There is no model "smal"\..*Did you mean "small"\?/)
    expect(err).to.match(/CATALOG_STAR_IN_LITERAL: Agent "odd", excluded_tools/)
  })

  it('explains where the parts of an agent come from, and why a tool is not there', async () => {
    const { status, out } = await askAlone('agents', 'explain', 'helper')
    expect(status).to.equal(0)
    expect(out).to.include('model scripted-1 (the spec "small"), at most 16 steps (default)')
    expect(out).to.match(/^calculate +calculator +allowed$/m)
    expect(out).to.match(/^current_time +clock +not offered +the catalog .* does not allow it$/m)
    const json = JSON.parse((await ask('agents', 'explain', 'coder', '--json')).out) as {
      readonly limits: object
    }
    expect(json.limits).to.deep.equal({ max_rounds: { value: 3, source: 'agent' } })
    const unknown = await ask('agents', 'explain', 'helpr')
    expect(unknown.status).to.equal(2)
    expect(unknown.err).to.include('Did you mean "helper"?')
  })

  it('explains the retries of an agent, and which models of its pool it uses and why', async () => {
    const models = {
      ...CONFIG.models,
      pool: { candidates: ['small', 'wide', 'narrow'], requires: { context_window: 1000 } },
      wide: { provider_id: 'scripted', upstream_model: 'scripted-mini', context_window: 9000 },
      narrow: { provider_id: 'scripted', upstream_model: 'scripted-mini', context_window: 10 },
    }
    const coder = { model_id: 'pool', sections: { retry: { max_retries: 3, backoff_base_ms: 1 } } }
    await write('braidwork.json', JSON.stringify({ ...CONFIG, models, agents: { coder } }))
    const { status, out } = await ask('agents', 'explain', 'coder')
    expect(status).to.equal(0)
    expect(out).to.include('(the spec "small" of the pool "pool")')
    expect(out).to.include('\nretries: at most 3, by the run (retry, backoff_base_ms 1)\n')
    expect(out).to.match(/^small +scripted +first +the first that has what the pool requires$/m)
    expect(out).to.match(/^wide +scripted +fallback +asked when those before it fail$/m)
    expect(out).to.match(/^narrow +scripted +left out +its context window has 10 tokens/m)
    expect((await ask('agents', 'explain', 'helper')).out).to.include("retries: the provider's own")
  })

  it('says in a chat that a request failed and is repeated, and takes back no text', async () => {
    const failing = (fault: object) => ({
      models: CONFIG.models,
      provider: 'scripted',
      settings: { scripted: { delay_ms: 0, fault } },
      agents: {
        coder: { model_id: 'small', sections: { retry: { max_retries: 2, backoff_base_ms: 1 } } },
      },
    })
    await write('braidwork.json', JSON.stringify(failing({ type: 'failed', times: 1 })))
    const again = await ask('chat', '--agent', 'coder', 'Hello')
    expect(again.status).to.equal(0)
    expect(again.err).to.include('model small failed (PROVIDER_FAILED), again in 0.001 s')
    await write(
      'braidwork.json',
      JSON.stringify(failing({ type: 'cut', after_chunks: 4, times: 1 })),
    )
    const cut = await ask('chat', '--agent', 'coder', 'Hello you there')
    expect(cut.status).to.not.equal(0)
    expect(cut.err).to.include('STREAM_INTERRUPTED')
    const json = await ask('chat', '--agent', 'coder', '--json', 'Hello you there')
    expect(json.status).to.equal(0)
    expect(json.out).to.include('"step-reset"')
  })

  it('AW-43 shows the next turn of a chat the summary of the turn before', async () => {
    const text = 'word '.repeat(1200)
    const calls = { text, tool_calls: [{ name: 'calculate', input: { expression: '1 + 1' } }] }
    const script = [
      { when: { text: 'Summarize' }, then: { text: 'They counted.' } },
      { when: { text: 'hello' }, then: { text: 'Hi.' } },
      { then: calls },
    ]
    const agents = { reader: { context_policy: { autocompact_threshold: 3000 }, max_rounds: 4 } }
    const settings = { scripted: { delay_ms: 0, script } }
    await write('braidwork.json', JSON.stringify({ provider: 'scripted', settings, agents }))
    const args = ['chat', '--agent', 'reader', '--json', '--config', 'braidwork.json']
    const { out } = await braidwork(args, { cwd: folder, input: 'go\nhello\n' })
    const events: { readonly type: string }[] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.filter(({ type }) => type === 'compaction-end')).to.not.have.length(0)
    const second = events.slice(events.findLastIndex(({ type }) => type === 'start'))
    const context = second.filter(({ type }) => type === 'context-resolved')
    expect(JSON.stringify(context)).to.include('a summary took the place of')
  })

  it('answers as an agent in a chat', async () => {
    const { status, out } = await ask('chat', '--agent', 'helper', '--json', 'What is 6 * 7?')
    expect(status).to.equal(0)
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string })
    const inventory = events.find(({ type }) => type === 'tool-inventory') as unknown as {
      readonly tools: readonly { tool_name: string; offered: boolean }[]
    }
    expect(
      inventory.tools.filter(({ offered }) => offered).map(({ tool_name }) => tool_name),
    ).to.deep.equal(['calculate'])
    expect(out).to.include('6 * 7 = 42')
    expect((await ask('chat', '--agent', 'none', 'x')).status).to.equal(2)
  })

  it('hides the secrets of a spec', async () => {
    const config = { settings: { scripted: { token: '${env:AGENT_TOKEN}' } } }
    await write('agents/own.json', JSON.stringify({ config }))
    const env = { AGENT_TOKEN: 'a-secret-of-the-agent' }
    const args = ['agents', '--json', '--config', 'braidwork.json']
    const { out, err } = await command(args, { cwd: folder, env })
    expect(out).to.include('"own"').and.not.include('a-secret-of-the-agent')
    expect(err).to.not.include('a-secret-of-the-agent')
    await write(
      'agents/mine.json',
      JSON.stringify({ config: { settings: { other: { key: '${env:AGENT_TOKEN}' } } } }),
    )
    const explain = ['agents', 'explain', 'mine', '--json', '--config', 'braidwork.json']
    const explained = await command(explain, { cwd: folder, env })
    expect(explained.out).to.include('"routing"').and.not.include('a-secret-of-the-agent')
  })

  it('reads the files of a folder only as they were when it was trusted', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'home') }
    const here = (...args: readonly string[]) => command(args, { cwd: folder, env })
    const before = await here('agents')
    expect(before.out).to.equal('')
    expect(before.err).to.include('FOLDER_UNTRUSTED').and.include('braidwork trust')
    expect(before.err).to.not.include('No agent is declared')
    expect((await here('agents', 'check')).out).to.equal('0 agents, 0 errors, 1 warning\n')
    expect((await here('trust')).status).to.equal(0)
    expect((await here('agents')).out)
      .to.include('helper')
      .and.include('coder')
    await write('agents/more.md', 'You do more.')
    const added = await here('agents')
    expect(added.out).to.equal('')
    expect(added.err).to.match(/more\.md" is new since its folder was trusted/)
    expect((await here('trust', '--update')).status).to.equal(0)
    expect((await here('agents')).out).to.include('more')
    await write('agents/helper.md', 'You do all that you want.')
    const lost = await here('agents')
    expect([lost.status, lost.out]).to.deep.equal([2, ''])
    expect(lost.err)
      .to.match(/helper\.md" changed since its folder was trusted/)
      .and.not.include('No agent is declared')
    const checked = await here('agents', 'check')
    expect([checked.status, checked.out]).to.deep.equal([2, '0 agents, 1 error, 0 warnings\n'])
  })
})
