import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createHost } from '../../../src/core/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { caller, errorOf, extension, feature, schema, tool } from '../../helpers/plugins.ts'
import { eachPythonFolder, type PythonFolder } from '../../helpers/python-hosts.ts'

const answer = caller('p', [{ role: 'assistant', parts: [{ type: 'text', text: 'hi' }] }])

const text = (said: unknown) => ({ role: 'user', parts: [{ type: 'text', text: said }] })

async function faultOf(...plugins: readonly AnyPlugin[]) {
  await using host = await createHost({ plugins: [answer, ...plugins] })
  return await errorOf(host.send({}, 'hello'))
}

describe('messages that a hook returns', () => {
  for (const [what, edited, pointer, place] of [
    ['a text that is none', [text('a'), text(3)], '/1/parts/0/text', ' at [1].parts[0].text'],
    ['an unknown role', [{ role: 'boss', parts: [] }], '/0/role', ' at [0].role'],
    ['a message that is none', [text('a'), 'b'], '/1', ' at [1]'],
    [
      'a part that is no JSON',
      [{ role: 'user', parts: [], x: { 'a-b': 1n } }],
      '/0/x/a-b',
      ' at [0].x["a-b"]',
    ],
    ['no message', [], '', ': there is no message'],
  ] as const) {
    it(`are blamed on the feature, with their place: ${what}`, async () => {
      const wrong = feature('wrong', { editMessages: () => edited })
      const error = await faultOf(wrong, feature('right', { editMessages: (all: unknown) => all }))
      expect(error).to.include({
        code: 'HOOK_ANSWER_INVALID',
        plugin: 'wrong',
        hook: 'editMessages',
        phase: 'prepare',
        pointer,
      })
      expect(error?.message).to.include(place).and.not.include('The messages')
    })
  }

  it('are blamed on the extension that changed the finals, not on the provider', async () => {
    const error = await faultOf(extension('e', { fromNative: () => [text(undefined)] }))
    expect(error).to.include({ plugin: 'e', hook: 'fromNative', pointer: '/0/parts/0/text' })
  })

  it('are checked only where they are new', async () => {
    const kept: unknown[] = []
    const editMessages = (all: readonly unknown[]) => [...all.slice(1), text('new'), ...all]
    const look = (all: readonly unknown[]) => {
      kept.push(...all)
      return all
    }
    const plugins = [feature('a', { editMessages }), feature('b', { editMessages: look })]
    await using host = await createHost({ plugins: [answer, ...plugins] })
    await host.send({}, 'hello')
    expect(kept).to.have.length(2)
  })
})

describe('a tool whose schema is broken', () => {
  const withSchema = (input_schema: object) => ({
    kind: 'tool',
    name: 't',
    getToolSchemas: () => [schema('fine'), schema('broken', { input_schema })],
    executeTool: () => 'done',
  })

  for (const [properties, place, says] of [
    [
      { a: { type: 'string', pattern: '(?<=a)b' } },
      '/properties/a/pattern',
      'not an RE2 expression',
    ],
    [{ a: { patternProperties: { '(': {} } } }, '/properties/a/patternProperties/(', 'not an RE2'],
    [{ a: { $ref: '#/$defs/gone' } }, '/properties/a/$ref', 'does not exist'],
    [
      { a: { anyOf: [{}, { type: 'text' }] } },
      '/properties/a/anyOf/1/type',
      '"text" is not a type',
    ],
    [{ a: { items: [3] } }, '/properties/a/items', 'it is not a schema'],
    [{ a: { enum: 'x' } }, '/properties/a/enum', 'it is not a list'],
  ] as const) {
    it(`is told of once, when the tools are asked for: ${place}`, async () => {
      const plugin = withSchema({ type: 'object', properties })
      await using host = await createHost({ plugins: [answer, plugin] })
      const { warnings } = await host.send({}, 'hello')
      expect(warnings).to.have.length(1)
      expect(warnings[0]).to.include(`of tool "broken" of plugin "t" is not valid at ${place}: `)
      expect(warnings[0]).to.include(says)
    })
  }

  it('is told to the log where nobody takes warnings', async () => {
    const log: object[] = []
    const properties = { a: { pattern: '(' } }
    await using host = await createHost({
      plugins: [answer, withSchema({ type: 'object', properties })],
      log: (entry) => log.push(entry),
    })
    await host.toolSchemas()
    expect(log).to.have.length(1)
    expect(log[0]).to.include({ level: 'warn' }).and.property('message').includes('plugin "t"')
  })

  it('is none where the schema has all that it needs', async () => {
    const a = { $ref: '#/$defs/b', pattern: '^a+$', not: false, type: ['string', 'null'] }
    const input_schema = { type: 'object', properties: { a }, $defs: { b: { enum: ['a'] } } }
    await using host = await createHost({ plugins: [answer, withSchema(input_schema)] })
    expect((await host.send({}, 'hello')).warnings).to.deep.equal([])
  })
})

const CALL = { type: 'tool-call', callId: '1', name: 'fail', input: {} } as const

describe('the log of a tool that throws', () => {
  it('names plugin, tool and the place in the plugin, also below a package that it uses', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-blame-'))
    const library = join(folder, 'node_modules', 'lib')
    try {
      await writeFileIn(
        library,
        'index.mjs',
        "export const fail = () => {\n  throw new Error('boom k-secret')\n}\n",
      )
      const path = await writeFileIn(
        folder,
        'plugin.mjs',
        `import { fail } from ${JSON.stringify(pathToFileURL(join(library, 'index.mjs')).href)}\nexport const run = () =>\n  fail()\n`,
      )
      const { run } = (await import(pathToFileURL(path).href)) as { run: () => void }
      const log: object[] = []
      const configSchema = { properties: { key: { writeOnly: true } } }
      const failing = tool('t', { schemas: ['fail'], executeTool: () => run(), configSchema })
      await using host = await createHost({
        plugins: [answer, failing],
        log: (entry) => log.push(entry),
      })
      const opened = await host.open({ settings: { t: { key: 'k-secret' } } })
      expect(await opened.execute(CALL)).to.include({ isError: true })
      opened.end()
      expect(log).to.have.length(1)
      expect(log[0]).to.include({ level: 'warn', plugin: 't', tool: 'fail' })
      expect(log[0])
        .to.have.property('message')
        .that.includes('Tool "fail" of "t" threw at ')
        .and.not.includes('k-secret')
      expect(log[0])
        .to.have.property('place')
        .that.matches(/\.(mjs|ts):\d+$/)
        .and.not.includes('node_modules')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

async function writeFileIn(folder: string, name: string, content: string): Promise<string> {
  const { mkdir } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

describe('faults and records of Python plugins', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('of messages name the hook and the place in its answer', async () => {
    const host = await folder.host([
      'kind = "feature"\nname = "wrong"\ndef edit_messages(messages, state):\n    return [{"role": "user", "parts": [{"type": "text"}]}]\n',
    ])
    const error = await errorOf(host.send({}, 'hello'))
    expect(error).to.include({ plugin: 'wrong', hook: 'editMessages', pointer: '/0/parts/0/text' })
  })

  it('of a tool have no place in the host where a value is thrown that has no stack', async () => {
    const logged: object[] = []
    const thrown: { readonly [name: string]: unknown } = {
      text: 'disk full',
      object: { code: 'RATE_LIMITED', message: 'slow down', retryAfter: 2 },
    }
    const odd = tool('odd', {
      getToolSchemas: () => Object.keys(thrown).map((name) => schema(name)),
      executeTool: ({ name }: { readonly name: string }) => {
        throw thrown[name]
      },
    })
    const host = await createHost({
      plugins: [answer, odd],
      log: (entry) => logged.push(entry),
    })
    const opened = await host.open({})
    for (const name of Object.keys(thrown)) await opened.execute({ callId: 'c', name, input: {} })
    opened.end()
    await host.close()
    for (const line of logged) expect(line).to.not.have.any.keys('place', 'stack')
    expect(logged.map((line) => 'message' in line && line.message)).to.deep.equal([
      'Tool "text" of "odd" threw: Hook "executeTool" of tool "odd" failed: disk full',
      'Tool "object" of "odd" threw: slow down',
    ])
  })

  it('of a tool have a log line with the place in the plugin, and not in what it uses', async () => {
    const host = await folder.host([
      'import json\n\ndef fail() -> str:\n    """Fails."""\n    return json.loads("{")\n\nkind = "tool"\nname = "t"\nfunctions = [fail]\n',
    ])
    using opened = await host.open({})
    await opened.execute(CALL)
    const entry = folder.log.find(({ message }) => message.startsWith('Tool'))
    expect(entry).to.include({ level: 'warn', plugin: 't', tool: 'fail' })
    expect(entry)
      .to.have.property('place')
      .that.matches(/module_\d_0\.py:5$/)
  })

  it('of a tool that ends its interpreter have no place, since only the host noticed it', async () => {
    const host = await folder.host([
      'import os\n\ndef fail() -> str:\n    """Ends."""\n    os._exit(4)\n\nkind = "tool"\nname = "t"\nfunctions = [fail]\n',
    ])
    using opened = await host.open({})
    await opened.execute(CALL)
    const entry = folder.log.find(({ message }) => message.startsWith('Tool'))
    expect(entry?.message).to.match(/^Tool "fail" of "t" threw: .*the Python interpreter ended/)
    expect(entry).to.not.have.any.keys('place', 'stack')
  })

  it('of logging arrive with their level, one entry each, with the name of the plugin', async () => {
    const host = await folder.host([
      `
import logging

kind = "feature"
name = "talker"
log = logging.getLogger("talk")

def init(config, state):
    log.debug("not shown")
    log.info("two\\nlines")
    log.warning("careful %s", 3)
    try:
        1 / 0
    except ZeroDivisionError:
        log.exception("it failed")
    return state
`,
    ])
    await host.send({}, 'hello')
    const entries = folder.log.filter((entry) => 'logger' in entry)
    expect(entries.map(({ level, message }) => [level, message.split(' ')[0]])).to.deep.equal([
      ['info', 'two\nlines'],
      ['warn', 'careful'],
      ['error', 'it'],
    ])
    expect(entries[2]?.message).to.include('Traceback').and.include('ZeroDivisionError')
    for (const entry of entries) expect(entry).to.include({ plugin: 'talker', logger: 'talk' })
  })

  it('of logging while a plugin is imported have its name, also beside another in its folder', async () => {
    const loading = (name: string) => `
import logging
logging.getLogger("talk").warning("loading ${name}")
kind = "feature"
name = "${name}"
`
    const host = await folder.host([loading('first'), loading('second')])
    await host.send({}, 'hello')
    const entries = folder.log.filter((entry) => 'logger' in entry)
    expect(entries).to.have.length(2)
    for (const name of ['first', 'second']) {
      const one = entries.find(({ message }) => message === `loading ${name}`)
      expect(one).to.include({ level: 'warn', logger: 'talk', plugin: name })
    }
  })

  it('of logging arrive although the import fails', async () => {
    const failing =
      'import logging\nlogging.getLogger("talk").error("no key")\nraise ValueError("stop")\n'
    const host = await folder.host([failing])
    const { diagnostics } = await host.resolve({})
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGIN_NOT_LOADED'])
    const entries = folder.log.filter((entry) => 'logger' in entry)
    expect(entries.map(({ message }) => message)).to.deep.equal(['no key'])
  })
})
