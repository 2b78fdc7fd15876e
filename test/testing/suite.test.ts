import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { KINDS } from '../../src/plugin/kinds.ts'
import { CHECKS } from '../../src/testing/checks/index.ts'
import { describeTool, type Runner, suiteOf } from '../../src/testing/index.ts'
import { errorOf, extension, tool } from '../helpers/plugins.ts'
import { ROOT } from '../helpers/source-files.ts'

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** A runner that keeps the tests, to run them here. */
function keeping() {
  const tests = new Map<string, (...given: unknown[]) => unknown>()
  const endings: (() => Promise<void>)[] = []
  const runner: Runner = {
    describe: (_title, run) => run(),
    it: (name, run) => tests.set(name, run),
    after: (run) => endings.push(run),
  }
  return { tests, endings, runner }
}

describe('the suite of a plugin', () => {
  it('names for each check a place of the docs that there is', () => {
    const places = new Set(KINDS.flatMap((kind) => CHECKS[kind].map(({ about }) => about)))
    const lost = [...places].filter((place) => {
      const [page = '', anchor] = place.split('#')
      return anchor !== undefined && !anchorsOf(page).includes(anchor)
    })
    expect(lost).to.deep.equal([])
    expect(places.size).to.be.above(20)
  })

  it('refuses a misspelled option, without which its checks would prove less', () => {
    const { runner } = keeping()
    expect(() => describeTool(tool('t'), { runner, call: [] } as never))
      .to.throw('describeTool has no option "call". Did you mean "calls"?')
      .with.property('code', 'OPTION_INVALID')
    expect(() => describeTool(tool('t'), { runer: runner } as never)).to.throw('"runner"')
    expect(() => suiteOf('extension', extension('e'), { answer: 'x' } as never)).to.throw(
      '"answers"',
    )
  })

  it('tells where the docs describe what is wrong', async () => {
    const { checks, close } = suiteOf('extension', extension('e', { init: () => ({}) }))
    const keeps = checks.find(({ name }) => name === 'keeps the state of others in init')
    expect((await errorOf(async () => keeps?.run())).message).to.match(
      /"init" loses provider_mark.*\nSee \S*docs\/hooks\.md#init\b/,
    )
    await close()
  })

  it('tells a provider of texts how to say why its answer ended', async () => {
    const texts = {
      kind: 'provider',
      name: 'texts',
      async *stream() {
        yield 'Hello'
      },
    }
    const { checks, close } = suiteOf('provider', texts, { lacks: ['tools'] })
    const ends = checks.find(({ name }) => name === 'says why a stream ended')
    expect((await errorOf(async () => ends?.run())).message).to.include(
      'Yield {"type": "metadata", "metadata": {"finishReason": "stop"}} at the end of the answer',
    )
    await close()
  })

  it('takes an absent secret, which Python writes as null, for no default', async () => {
    const faultWith = async (value: unknown) => {
      const api_key = { type: ['string', 'null'], title: 'Key', writeOnly: true, default: value }
      const configSchema = { type: 'object', properties: { api_key } }
      const { checks, close } = suiteOf('extension', extension('e', { configSchema }))
      const check = checks.find(({ name }) => name === 'has no default for a secret')
      const fault = await check?.run().then(
        () => undefined,
        ({ message }: Error) => message,
      )
      await close()
      return fault
    }
    expect(await faultWith(null)).to.equal(undefined)
    expect(await faultWith('sk-1')).to.include('"api_key" is a secret with a default')
  })

  it('makes no check but the first of a plugin that a host refuses', async () => {
    const { checks } = suiteOf('extension', { kind: 'extension' })
    const [loads, ...others] = checks
    expect((await errorOf(async () => loads?.run())).message).to.match(/no usable "name"/)
    for (const { run } of others) expect(await run()).to.match(/does not pass "loads/)
  })

  it('refuses a plugin of another kind', async () => {
    const [loads] = suiteOf('feature', extension('e')).checks
    expect((await errorOf(async () => loads?.run())).message).to.equal(
      '"e" is of kind "extension", not "feature"; use the suite of its kind.',
    )
  })

  it('uses one host for all checks, which it closes once', async () => {
    const log = { closed: 0 }
    const { checks, close } = suiteOf('extension', extension('e', { close: () => log.closed++ }))
    for (const { run } of checks) await run()
    await close()
    expect(log.closed).to.equal(1)
  })

  it('closes its host when the last check does not run', async () => {
    const log = { closed: 0 }
    const { checks, close } = suiteOf('extension', extension('e', { close: () => log.closed++ }))
    await checks[0]?.run()
    await close()
    expect(log.closed).to.equal(1)
  })

  it('marks a test as skipped that cannot be judged, by the argument of the test or by "this"', async () => {
    const { tests, endings, runner } = keeping()
    describeTool(tool('t', { requires: ['nobody-has-it'] }), { runner })
    const skipped: string[] = []
    const test = { skip: (reason: string) => skipped.push(reason) }
    await tests.get('answers its tool calls')?.(test)
    await tests.get('offers tools with usable schemas')?.call(test)
    expect(skipped).to.deep.equal(['the plugin is off', 'the plugin is off'])
    await endings[0]?.()
  })

  it('registers functions without parameters, since runners wait for a callback otherwise', async () => {
    const { tests, runner } = keeping()
    describeTool(tool('t'), { runner })
    expect([...tests.values()].map(({ length }) => length)).to.not.include(1)
    expect(tests.size).to.equal(suiteOf('tool', tool('t')).checks.length)
  })
})
