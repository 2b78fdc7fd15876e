import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { SERVED } from '../server/clients/scripts.ts'
import { braidwork, type Ran } from './command.ts'
import { config, eachServedFolder, post, type ServedFolder, TOKEN } from './serving.ts'
import { type SharedCommand, sharedCommand } from './shared-command.ts'

const MESSAGES = [{ role: 'user', content: 'count' }]

describe('braidwork serve', function () {
  this.timeout(60_000)
  const command = sharedCommand()
  let folder: string
  let serve: ServedFolder['serve']
  let begin: ServedFolder['begin']
  eachServedFolder((made) => {
    ;({ folder, serve, begin } = made)
  })

  it('says its address first, keeps what it is told in a file that is its user’s alone, and is told to stop', async () => {
    const program = begin()
    const address = await program.address()
    expect(address).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    const parts = [{ type: 'text', text: 'hi' }]
    const chat = { id: 'talk', messages: [{ id: 'q', role: 'user', parts }] }
    expect(await (await post(address, '/api/chat', chat)).text()).to.include('finish')
    const file = join(folder, 'data/braidwork/conversations.db')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(statSync(join(folder, 'data/braidwork')).mode & 0o777).to.equal(0o700)
    expect((await program.stop('SIGTERM')).status).to.equal(0)
    expect(program.out).to.equal(`${address}\n`)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends active streams as each protocol does, and itself, on ${signal}`, async () => {
      const program = begin()
      const address = await program.address()
      const parts = [{ type: 'text', text: 'count' }]
      const chat = { id: 'talk', agent: 'slow', messages: [{ id: 'q', role: 'user', parts }] }
      const streams = await Promise.all([
        post(address, '/api/chat', chat),
        post(address, '/v1/chat/completions', { model: 'slow', messages: MESSAGES, stream: true }),
        post(address, '/v1/messages', {
          model: 'slow',
          messages: MESSAGES,
          stream: true,
          max_tokens: 99,
        }),
      ])
      const idle = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => undefined)
      await once(idle, 'connect')
      const texts = Promise.all(streams.map((answer) => answer.text()))
      const { status, milliseconds } = await program.stop(signal)
      const [ui = '', completions = '', messages = ''] = await texts
      expect(ui)
        .to.include('"type":"abort"')
        .and.match(/data: \[DONE\]\s*$/)
      expect(completions).to.match(/"error"|\[DONE\]/)
      expect(messages).to.include('event: error')
      expect(status).to.equal(0)
      // Less than it would be waited for.
      expect(milliseconds).to.be.below(4500)
      idle.destroy()
    })
  }

  it('ends at once on a second SIGINT', async () => {
    writeFileSync(
      join(folder, 'stuck.mjs'),
      `export default { kind: 'tool', name: 'stuck',
        getToolSchemas: () => [{ name: 'calculate', description: 'x', input_schema: { type: 'object' } }],
        executeTool: () => new Promise((resolve) => setTimeout(resolve, 100_000)) }`,
    )
    const plugins = ['./stuck.mjs']
    const { server } = SERVED
    const program = serve({ ...config, plugins, disabled_plugins: ['calculator'], server })
    const address = await program.address()
    const messages = [{ role: 'user', content: 'calculate' }]
    const answer = await post(address, '/v1/chat/completions', {
      model: 'quick',
      messages,
      stream: true,
    })
    const reading = answer.text().catch(() => '')
    program.child.kill('SIGINT')
    while ((await fetch(`${address}/healthz`).catch(() => undefined)) !== undefined);
    const { status } = await program.stop('SIGINT')
    expect(status).to.be.oneOf([0, 130])
    await reading
  })

  it('logs what was asked of it, and no content or secret of it', async () => {
    const program = begin({ tokens: [{ token: '${env:ADA_TOKEN}', id: 'ada' }] })
    const address = await program.address()
    const messages = [{ role: 'user', content: 'xyzzy' }]
    const body = { model: 'quick', messages }
    const bearer = { authorization: `Bearer ${TOKEN}` }
    expect((await post(address, '/v1/chat/completions', body)).status).to.equal(401)
    const answer = await post(address, '/v1/chat/completions', body, bearer)
    expect(await answer.text()).to.include('xyzzy')
    await program.stop('SIGTERM')
    const lines = program.err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines.some((line) => 'path' in line && line.path === '/v1/chat/completions')).to.equal(
      true,
    )
    expect(program.err).to.not.include('xyzzy').and.not.include(TOKEN)
  })

  it('logs content where the config says so', async () => {
    const program = begin({ log_content: true })
    const address = await program.address()
    await (
      await post(address, '/v1/chat/completions', {
        model: 'quick',
        messages: [{ role: 'user', content: 'xyzzy' }],
      })
    ).text()
    await program.stop('SIGTERM')
    expect(program.err).to.include('You said: xyzzy')
  })

  it('counts for Prometheus, with a gauge of active runs', async () => {
    const program = begin()
    const address = await program.address()
    const answer = await post(address, '/v1/chat/completions', {
      model: 'slow',
      messages: MESSAGES,
      stream: true,
    })
    const metrics = async (): Promise<string> => (await fetch(`${address}/metrics`)).text()
    const text = await metrics()
    for (const line of text.trimEnd().split('\n')) {
      expect(line).to.match(
        /^(?:# (?:TYPE|HELP) [a-z_:]+ .+|[a-z_:]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})? [0-9.e+-]+)$/,
      )
    }
    expect(text).to.include('# TYPE braidwork_active_runs gauge\nbraidwork_active_runs 1\n')
    await answer.body?.cancel()
    while (!(await metrics()).includes('\nbraidwork_active_runs 0\n'));
    for (const path of ['/healthz', '/readyz']) {
      expect(await (await fetch(`${address}${path}`)).text()).to.equal('ok')
    }
  })

  describe('does not begin', () => {
    const refused = async (
      server: unknown,
      args: readonly string[],
      run: SharedCommand = braidwork,
    ): Promise<Ran> => {
      const file = join(folder, 'served.json')
      writeFileSync(file, JSON.stringify({ ...config, server }))
      const env = { XDG_DATA_HOME: join(folder, 'data'), ADA_TOKEN: 'short' }
      const ran = await run(['serve', '--config', file, ...args], { cwd: folder, env })
      expect(ran.out).to.equal('')
      return ran
    }

    it('for everybody without tokens', async () => {
      for (const host of ['0.0.0.0', '::']) {
        const { status, err } = await refused({}, ['--port', '0', '--host', host])
        expect(status).to.equal(2)
        expect(err).to.include('CONFIG_INVALID').and.include('server.tokens')
      }
    })

    it('where the port is taken, or is none', async () => {
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const port = String((taken.address() as AddressInfo).port)
      const { status, err } = await refused({ store: 'memory' }, ['--port', port])
      taken.close()
      expect(status).to.equal(2)
      expect(err)
        .to.include(`Cannot listen on 127.0.0.1:${port}`)
        .and.include('choose another port')
      expect((await refused({}, ['--port', '65536'])).status).to.equal(2)
    })

    it('with a config that is wrong, and says where', async () => {
      const long = 'x'.repeat(16)
      for (const [server, said] of [
        [{ tokens: [{ token: 'sesame', id: 'ada' }] }, '/tokens/0/token'],
        [{ tokens: [{ token: '${env:ADA_TOKEN}', id: 'ada' }] }, 'tokens'],
        [{ tokens: [{ token: '${env:NOT_SET_AT_ALL}', id: 'ada' }] }, 'NOT_SET_AT_ALL'],
        [
          {
            tokens: [
              { token: long, id: 'a' },
              { token: long, id: 'b' },
            ],
          },
          'twice',
        ],
        [{ trust_proxies: true }, 'trust_proxy'],
        [{ models: { m: { config: { temperature: 'hot' } } } }, 'temperature'],
        [{ limits: { runs: 0 } }, 'runs'],
        [{ base_path: 'no' }, 'base_path'],
        [{ store: 'mysql://x' }, 'mysql:'],
        [{ store: '/dev/null/data.db' }, 'STORAGE_FAILED'],
      ] as const) {
        const { status, err } = await refused(server, ['--port', '0'], command)
        expect(status, err).to.be.oneOf([1, 2])
        expect(err)
          .to.include(said)
          .and.not.match(/\n +at /)
          .and.not.include('sesame')
      }
    })
  })

  it('has its part of a config checked and described like the rest', async () => {
    const file = join(folder, 'served.json')
    writeFileSync(file, '{\n  "server": {\n    "limits": { "runs": "many" }\n  }\n}\n')
    const checked = await command(['config', 'check', '--config', file], { cwd: folder })
    expect(checked.status).to.equal(2)
    expect(checked.err)
      .to.include('CONFIG_INVALID')
      .and.include('runs')
      .and.include('served.json:3:')
    const { out } = await command(['config', 'schema'], { cwd: folder })
    const schema = JSON.parse(out) as { properties: { server: { properties: object } } }
    expect(schema.properties.server.properties).to.include.keys('tokens', 'trust_proxy', 'store')
  })

  it('has its models checked too, and a variable that is not set named by its place', async () => {
    const file = join(folder, 'served.json')
    const check = async (server: object, more: object = {}) => {
      writeFileSync(file, JSON.stringify({ provider: 'scripted', server, ...more }, null, 2))
      return command(['config', 'check', '--config', file], { cwd: folder })
    }
    const wrong = await check({
      models: {
        a: { config: { modle: 'x' } },
        b: { config: { provider: 'none-such' } },
        c: { config: { tool_policy: { calc: 'ask' } } },
      },
    })
    expect([wrong.status, wrong.out]).to.deep.equal([2, '1 error, 2 warnings\n'])
    expect(wrong.err)
      .to.match(/"modle".*served\.json:7:/)
      .and.match(/PROVIDER_UNKNOWN.*served\.json:12:/)
      .and.match(/POLICY_UNUSED.*served\.json:18:/)
    const unset = await check({ tokens: [{ id: 'ada', token: '${env:BRAIDWORK_NOT_SET}' }] })
    expect(unset.status).to.equal(2)
    expect(unset.err).to.match(/\/server\/tokens\/0\/token.*served\.json:7:/)
    expect((await check({}, { tool_policy: { calc: 'ask' } })).err).to.include('POLICY_UNUSED')
  })

  it('has what a start refuses refused by the check, with its place', async () => {
    const file = join(folder, 'served.json')
    const hot = { settings: { scripted: { delay: 5 } } }
    for (const [server, code, told] of [
      [{ mcp_tools: 'nobody' }, 'OPTION_INVALID', 'names "nobody"'],
      [{ store: 'mysql://x/y' }, 'OPTION_INVALID', '"mysql:"'],
      [{ hosts: ['*.example.com'] }, 'CONFIG_INVALID', 'no wildcards'],
      [{ hosts: ['chat.example.com'] }, 'CONFIG_INVALID', 'Anyone who reaches "chat.example.com"'],
      [{ trust_proxy: true }, 'CONFIG_INVALID', 'Anyone who reaches the proxy'],
      [{ models: { m: { config: hot } } }, 'SETTINGS_INVALID', 'Did you mean "delay_ms"?'],
    ] as const) {
      writeFileSync(file, JSON.stringify({ provider: 'scripted', server }, null, 2))
      const checked = await command(['config', 'check', '--config', file], { cwd: folder })
      expect([checked.status, checked.out]).to.deep.equal([2, '1 error, 0 warnings\n'])
      expect(checked.err)
        .to.include(code)
        .and.include(told)
        .and.match(/served\.json:\d+:/)
      const args = ['serve', '--port', '0', '--config', file]
      const started = await command(args, { cwd: folder })
      expect(started.status, told).to.equal(2)
      expect(started.err).to.include(code).and.include(told)
    }
  })

  it('may have policies for tools that only some models and agents have', async () => {
    const file = join(folder, 'served.json')
    const disabled_plugins = ['calculator', 'clock']
    const calculating = { disabled_plugins: ['clock'] }
    const check = async (more: object) => {
      const models = { main: { config: calculating }, mini: { config: { model: 'scripted-mini' } } }
      const tool_policy = { calculate: 'ask', current_time: 'deny' }
      const config = { provider: 'scripted', server: { models }, disabled_plugins, tool_policy }
      writeFileSync(file, JSON.stringify({ ...config, ...more }))
      return command(['config', 'check', '--config', file], { cwd: folder })
    }
    const { out, err } = await check({})
    expect([out, err.match(/the tool "\w+"/g)]).to.deep.equal([
      '0 errors, 1 warning\n',
      ['the tool "current_time"'],
    ])
    const telling = { disabled_plugins: ['calculator'] }
    const agents = { helper: { system_prompt: 'Help.', config: telling } }
    expect((await check({ agents })).out).to.equal('0 errors, 0 warnings\n')
  })

  it('has no token or password of it shown', async () => {
    const file = join(folder, 'served.json')
    const tokens = [{ token: TOKEN, id: 'ada' }]
    const server = { tokens, store: 'postgres://ada:hunter2@db/x' }
    writeFileSync(file, JSON.stringify({ server }))
    for (const more of [[], ['--explain']]) {
      const { out } = await command(['config', 'show', ...more, '--config', file], {
        cwd: folder,
      })
      expect(out).to.not.include(TOKEN).and.not.include('hunter2')
    }
  })
})
