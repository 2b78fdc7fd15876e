import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { eachServedFolder, post, type ServedFolder, TOKEN } from './serving.ts'

const WORDS = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')

/** A config that publishes models with a text as their answer. */
function configOf(texts: { readonly [name: string]: string }, more: object = {}): object {
  const models = Object.entries(texts).map(([name, text]) => {
    const script = [{ then: { text } }]
    return [name, { config: { settings: { scripted: { delay_ms: 50, script } } } }]
  })
  const tokens = [{ token: TOKEN, id: 'ada' }]
  const server = { store: 'memory', tokens, models: Object.fromEntries(models), ...more }
  return { provider: 'scripted', server }
}

describe('braidwork serve, at a SIGHUP', function () {
  this.timeout(30_000)
  let made: ServedFolder
  eachServedFolder((folder) => {
    made = folder
  })

  async function begin(config: object) {
    const serving = made.serve(config)
    const address = /http:\/\/\S+/.exec(await serving.address())?.[0] ?? expect.fail(serving.err)
    const ask = (model: string) =>
      post(
        address,
        '/v1/chat/completions',
        { model, messages: [{ role: 'user', content: 'hi' }], stream: true },
        { authorization: `Bearer ${TOKEN}` },
      )
    /** Writes another config, or a text in its place, and waits until the server has read it. */
    const reload = async (other: object | string): Promise<string> => {
      const text = typeof other === 'string' ? other : JSON.stringify(other)
      writeFileSync(join(made.folder, 'served.json'), text)
      const before = serving.err.length
      serving.child.kill('SIGHUP')
      while (!/The config was (?:not )?reloaded/.test(serving.err.slice(before))) await wait(10)
      return serving.err.slice(before)
    }
    return { ask, reload }
  }

  it('answers new requests by the new config, and ends running ones by the old', async () => {
    const { ask, reload } = await begin(configOf({ old: WORDS }))
    const running = await ask('old')
    expect(await reload(configOf({ fresh: 'I am new.' }))).to.include('It applies to new requests.')
    expect((await ask('old')).status).to.equal(404)
    const words = ['I', 'am', 'new.']
    const fresh = await (await ask('fresh')).text()
    for (const word of words) expect(fresh).to.include(word)
    expect(await running.text())
      .to.include('word39')
      .and.include('[DONE]')
  })

  it('keeps the config where the new one is broken, and says so with the place', async () => {
    const { ask, reload } = await begin(configOf({ old: 'I am old.' }))
    const wrongKey = await reload(configOf({ fresh: 'new' }, { limits: { runs: 0 } }))
    expect(wrongKey).to.include('the earlier one stays in force')
    expect(wrongKey).to.include('/server/limits/runs').and.include('"level":50')
    const noJson = await reload('{ "provider": ')
    expect(noJson).to.include('CONFIG_INVALID').and.include('the earlier one stays in force')
    const unset = configOf({ fresh: 'new' }, { tokens: [{ token: '${env:NOT_SET}', id: 'x' }] })
    expect(await reload(unset)).to.include('NOT_SET')
    expect(`${wrongKey}${noJson}`).to.not.include(TOKEN)
    expect(await (await ask('old')).text()).to.include('old.')
    expect((await ask('fresh')).status).to.equal(404)
  })

  it('takes new agents of the config and of files, tells of broken ones, and has the others', async () => {
    const config = configOf({ old: 'I am old.' })
    const folder = join(made.folder, 'agents')
    mkdirSync(folder)
    writeFileSync(join(folder, 'first.md'), 'You are the first.')
    const { ask, reload } = await begin(config)
    expect((await ask('first')).status).to.equal(200)
    writeFileSync(join(folder, 'second.md'), '---\nmax_rounds: 3\n---\nYou are the second.')
    writeFileSync(join(folder, 'wrong.md'), '---\nmax_rounds: none\n---\nYou are wrong.')
    const tokens = [{ token: TOKEN, id: 'ada', models: ['first', 'second', 'third', 'broken'] }]
    const agents = { third: {}, broken: { model_id: 'gone' } }
    const said = await reload({ ...configOf({ old: 'I am old.' }, { tokens }), agents })
    expect(said).to.include('It applies to new requests.')
    expect(said).to.match(/"level":50,[^\n]*wrong\.md is not valid at \/max_rounds/)
    expect(said).to.match(/"level":50,[^\n]*The agent \\"broken\\" cannot run/)
    const models = ['first', 'second', 'third', 'broken', 'wrong', 'old']
    const statuses = await Promise.all(models.map(async (model) => (await ask(model)).status))
    expect(statuses).to.deep.equal([200, 200, 200, 500, 404, 404])
    const unknown = [{ token: TOKEN, id: 'ada', models: ['thrid'] }]
    const refused = await reload({ ...configOf({}, { tokens: unknown }), agents })
    expect(refused).to.include('Did you mean \\"third\\"?').and.include('not reloaded')
  })

  it('keeps the config where the new one names a plugin that cannot be loaded', async () => {
    const { ask, reload } = await begin(configOf({ old: 'I am old.' }))
    const fresh = configOf({ fresh: 'new' })
    const said = await reload({ ...fresh, plugins: ['./guard.mjs'] })
    expect(said).to.include('PLUGIN_NOT_LOADED').and.include('the earlier one stays in force')
    expect(said).to.include('guard.mjs')
    expect([(await ask('old')).status, (await ask('fresh')).status]).to.deep.equal([200, 404])
    expect(await reload(fresh)).to.include('It applies to new requests.')
  })

  it('takes another config with a plugin that could not be loaded at the start either', async () => {
    const broken = { plugins: ['./guard.mjs'] }
    const { ask, reload } = await begin({ ...configOf({ old: 'I am old.' }), ...broken })
    const said = await reload({ ...configOf({ fresh: 'new' }), ...broken })
    expect(said).to.include('It applies to new requests.')
    expect(said).to.match(/"level":50,[^\n]*guard\.mjs/)
    expect((await ask('fresh')).status).to.equal(200)
  })

  it('starts, and then reads its config again, where the signal comes during the start', async () => {
    const signalling = `globalThis.told ??= process.kill(process.pid, 'SIGHUP')
      await new Promise(setImmediate)
      export default { kind: 'feature', name: 'signalling' }`
    writeFileSync(join(made.folder, 'signalling.mjs'), signalling)
    const config = { ...configOf({ old: 'I am old.' }), plugins: ['./signalling.mjs'] }
    const serving = made.serve(config)
    expect(await serving.address()).to.match(/^http:/)
    while (!serving.err.includes('The config was reloaded.')) await wait(10)
    expect((await serving.stop('SIGTERM')).status).to.equal(0)
  })

  it('neither ends nor opens a debugger at SIGUSR1 and SIGUSR2, and says that they have no effect', async () => {
    const serving = made.serve(configOf({ old: 'I am old.' }))
    await serving.address()
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
      serving.child.kill(signal)
      while (!serving.err.includes(`${signal} has no effect here.`)) await wait(10)
    }
    expect(serving.err).to.include('SIGHUP reloads the config').and.not.include('Debugger')
    expect((await serving.stop('SIGTERM')).status).to.equal(0)
  })

  it('says which changes take effect only after a restart', async () => {
    const { ask, reload } = await begin(configOf({ old: 'I am old.' }))
    const said = await reload(configOf({ old: 'I am old.' }, { retention_days: 3 }))
    expect(said).to.include('server.retention_days').and.include('only after a restart')
    expect((await ask('old')).status).to.equal(200)
  })
})
