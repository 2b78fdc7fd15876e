import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { createHost, type Host } from '../../src/core/host/index.ts'
import { sampled } from '../helpers/cases.ts'
import { collect } from '../helpers/hosts.ts'
import { isAlive } from '../helpers/processes.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'
import { ROOT } from '../helpers/source-files.ts'

const PROVIDER = `
kind = "provider"
name = "py"

def get_models(config):
    return ["small", "large"]

def get_tags(config, models):
    return {"text", "of-" + config["model"]}

def init(config):
    return {"model": config["model"], "tools": len(config["tools"])}

def to_native(messages, state):
    return {"messages": messages, "model": state["model"]}

async def initialize_request(native, state):
    return {**native, "ready": True}, {**state, "asked": 1}

def stream(native, state):
    yield {"type": "text-start", "id": "1"}
    for word in ["one ", "two ", "three"]:
        yield {"type": "text-delta", "id": "1", "delta": word}
    yield [{"type": "text-end", "id": "1"}]
`

const SHOUT = `
class Shout:
    kind = "extension"
    name = "shout"
    required_tags = ["of-small"]

    def init(self, config, state, context):
        context.local["chunks"] = 0
        context.warn("it is loud")
        return {**state, "shout": {"on": True}}

    def process_chunk(self, chunk, partials, finals, native, state, *, context):
        context.local["chunks"] += 1
        return partials, finals, native, state

    async def finalize(self, finals, native, state, context):
        await context.storage.set("chunks", context.local["chunks"])
        state = {**state, "chunks": await context.storage.get("chunks")}
        del state["asked"]
        return finals, native, state

    def from_native(self, natives, core):
        return [shouted(one) for one in core]

def shouted(one):
    if "delta" in one:
        return {**one, "delta": one["delta"].upper()}
    parts = [{**part, "text": part["text"].upper()} for part in one.get("parts", ())]
    return {**one, "parts": parts} if parts else one

plugin = Shout
`

const TOOL = `
class Adder:
    kind = "tool"
    name = "adder"

    def init(self, config):
        return {"base": 40}

    def get_tool_schemas(self, state):
        schema = {"type": "object", "properties": {"n": {"type": "number"}}}
        return [{"name": "add", "description": f"adds {state['base']}", "input_schema": schema}]

    async def execute_tool(self, call, state):
        yield "thinking"
        yield {"sum": state["base"] + call["input"]["n"]}

plugin = Adder()
`

describe('a Python plugin', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  async function diagnosticOf(host: Host, expected = 'PLUGIN_NOT_LOADED'): Promise<string> {
    const { diagnostics } = await host.resolve({ provider: 'scripted' })
    expect(diagnostics.map(({ code }) => code)).to.deep.equal([expected])
    return diagnostics[0]?.message ?? ''
  }

  it('answers as a provider, with an extension beside it, in send and in stream', async () => {
    const host = await folder.host([PROVIDER, SHOUT], { provider: 'py' })
    expect((await host.resolve()).tags).to.include('of-small')
    const sent = await host.send({}, 'hello')
    expect(sent.messages).to.deep.equal([
      { role: 'assistant', parts: [{ type: 'text', text: 'ONE TWO THREE' }] },
    ])
    expect(sent.warnings).to.deep.equal(['shout: it is loud'])
    const streaming = host.stream({}, 'hello')
    const deltas = (await collect(streaming)).flatMap((event) =>
      event.type === 'text-delta' ? [event.delta] : [],
    )
    expect(deltas).to.deep.equal(['ONE ', 'TWO ', 'THREE'])
    expect((await streaming.result).messages).to.deep.equal(sent.messages)
  })

  it('is told only what changed of native and state, and tells only that', async () => {
    const watch = {
      kind: 'extension',
      name: 'watch',
      finalize: (finals: unknown, native: unknown, state: object) => {
        seen.push([native, state])
        return [finals, native, state]
      },
    }
    const seen: unknown[] = []
    const host = await folder.host([PROVIDER, watch, SHOUT, { ...watch, name: 'last' }], {
      provider: 'py',
    })
    await host.send({}, 'hello')
    const native = { messages: seen[0] && (seen as never[][])[0]?.[0]?.['messages'] }
    expect(seen).to.deep.equal([
      [
        { ...native, model: 'small', ready: true },
        { model: 'small', tools: 0, asked: 1, shout: { on: true } },
      ],
      [
        { ...native, model: 'small', ready: true },
        { model: 'small', tools: 0, shout: { on: true }, chunks: 5 },
      ],
    ])
    const [[first, before], [second, after]] = seen as [[object, object], [object, object]]
    expect(first).to.equal(second)
    expect(Reflect.get(before, 'shout')).to.equal(Reflect.get(after, 'shout'))
  })

  it('is judged by its tags, and explained, like any other', async () => {
    const host = await folder.host([PROVIDER, SHOUT], { provider: 'py', model: 'large' })
    expect((await host.resolve()).enabled.extensions).to.deep.equal([])
    const [explained] = await host.explain({}, { plugin: 'shout' })
    expect(explained?.rule).to.equal('missing tags')
  })

  it('offers tools and runs them, with progress', async () => {
    const host = await folder.host([TOOL], {
      settings: {
        scripted: {
          delay_ms: 0,
          script: [
            { when: { text: 'add' }, then: { tool_calls: [{ name: 'add', input: { n: 2 } }] } },
            { then: { text: 'done' } },
          ],
        },
      },
    })
    expect((await host.toolSchemas()).map(({ description }) => description)).to.deep.equal([
      'adds 40',
    ])
    const events = await collect(run(host, { messages: 'add 2' }))
    const ofTool = events.flatMap((event) => {
      if (event.type === 'tool-execution-progress') return [event.progress]
      return event.type === 'tool-execution-end' ? [event.result.output] : []
    })
    expect(ofTool).to.deep.equal(['thinking', { sum: 42 }, { sum: 42 }])
  })

  it('is a folder with a manifest, or without one', async () => {
    await mkdir(join(folder.path, 'shout'))
    const manifest = { kind: 'extension', name: 'shout', entry: './plugin.py' }
    await folder.write('shout/plugin.py', 'from .words import plugin\n')
    await folder.write('shout/words.py', SHOUT)
    await writeFile(
      join(folder.path, 'shout', 'package.json'),
      JSON.stringify({ name: 'shout', braidwork: { apiVersion: 1, plugins: [manifest] } }),
    )
    await mkdir(join(folder.path, 'py'))
    await folder.write('py/__init__.py', PROVIDER)
    const host = await folder.host([join(folder.path, 'shout'), join(folder.path, 'py')])
    const { enabled, diagnostics } = await host.resolve({ provider: 'py' })
    expect(diagnostics).to.deep.equal([])
    expect(enabled.extensions).to.deep.equal(['shout'])
  })

  it('keeps modules of its own, whatever their names', async () => {
    for (const name of ['one', 'two']) {
      await mkdir(join(folder.path, name))
      await folder.write(`${name}/words.py`, `import json\nWORDS = json.loads('["${name}"]')\n`)
      await folder.write(`${name}/json.py`, 'raise RuntimeError("hidden")\n')
      await folder.write(
        `${name}/plugin.py`,
        `import words\nkind = "feature"\nname = "${name}"\ndef get_tags(config, models): return words.WORDS\n`,
      )
    }
    const host = await folder.host([join(folder.path, 'one'), join(folder.path, 'two')])
    const { tags, diagnostics } = await host.resolve()
    expect(diagnostics).to.deep.equal([])
    expect(tags).to.include.members(['one', 'two'])
  })

  const FAULTY: readonly (readonly [what: string, text: string, said: RegExp])[] = [
    ['has a syntax error', 'def f(:\n', /SyntaxError: .*module_0_0\.py:1/],
    ['needs what is not there', 'import no_such_module\n', /no_such_module.*braidwork plugins add/],
    ['has no plugin', 'x = 1\n', /has no "kind" and "name".* no "plugin"/],
    ['is of no kind', 'kind = "plug"\nname = "x"\n', /kind is 'plug'; kinds are provider/],
    ['has no name', 'class plugin:\n    kind = "tool"\n', /no "name"/],
    [
      'has a misspelled hook',
      'kind = "extension"\nname = "x"\ndef proces_chunk(*a): pass\n',
      /"proces_chunk", which is not a hook\. Did you mean "process_chunk"\?/,
    ],
    [
      'has a misspelled list of functions',
      'class plugin:\n    kind = "tool"\n    name = "x"\n    function = [len]\n',
      /"function", which is not one that the host reads\. Did you mean "functions"\?/,
    ],
    [
      'has a hook of another signature',
      'kind = "extension"\nname = "x"\ndef init(config): pass\n',
      /hook "init" cannot be called with the 2 arguments of "init": too many positional/,
    ],
    [
      'has a hook that is no function',
      'class plugin:\n    kind = "tool"\n    name = "x"\n    init = 3\n',
      /hook "init" is not a function/,
    ],
    ['ends while it is imported', 'import sys\nsys.exit(3)\n', /SystemExit: 3/],
  ]

  it('is loaded where its functions have names near to those of hooks', async () => {
    const words = 'calc small cells clone closed lose unit steam init_db get_tag finalized'.split(
      ' ',
    )
    const listed = words.map((word) => `def ${word}(a: int):\n    "Does it."\n    return a\n`)
    const host = await folder.host([
      `${listed.join('')}def execute_tol(a: int):\n    "Does it."\n    return a\nkind = "tool"\nname = "listed"\nfunctions = [${words.join(', ')}, execute_tol]\n`,
      `kind = "feature"\nname = "module"\n${words.map((word) => `def ${word}(): pass\n`).join('')}`,
      `class plugin:\n    kind = "extension"\n    name = "class"\n${words.map((word) => `    def ${word}(self): pass\n`).join('')}`,
    ])
    const { enabled, diagnostics } = await host.resolve()
    expect(diagnostics).to.deep.equal([])
    expect(enabled).to.deep.include({
      tools: ['listed'],
      features: ['module'],
      extensions: ['class'],
    })
  })

  it('has no hooks of the functions that its module imported from elsewhere', async () => {
    const host = await folder.host([
      'from os import close, getpid as get_models\nkind = "feature"\nname = "imports"\n',
    ])
    expect((await host.resolve()).diagnostics).to.deep.equal([])
    await host.close()
    expect(folder.log).to.deep.equal([])
  })

  it('has the hooks that its module imported from its own folder, or that a decorator made', async () => {
    await folder.write('parts.py', 'def get_tags(config, models): return ["parts"]\n')
    await folder.write(
      'beside.py',
      'def is_enabled(*given): return True\ndef kept(run): return lambda *given: run(*given)\n',
    )
    await folder.write(
      '__init__.py',
      'from .parts import get_tags\nkind = "feature"\nname = "whole"\n',
    )
    const host = await folder.host([
      folder.path,
      'from beside import is_enabled, kept\nkind = "feature"\nname = "beside"\n@kept\ndef get_tags(config, models): return ["kept"]\n',
    ])
    const { tags, diagnostics } = await host.resolve()
    expect(diagnostics).to.deep.equal([])
    expect(tags).to.include.members(['parts', 'kept'])
  })

  for (const [what, text, said] of sampled(FAULTY, 3)) {
    it(`is off with a diagnostic where its module ${what}, and the others work`, async () => {
      const host = await folder.host([text, TOOL])
      expect(await diagnosticOf(host)).to.match(said)
      expect((await host.resolve()).enabled.tools).to.deep.equal(['adder'])
    })
  }

  it('leaves no interpreter running where it cannot be loaded and no other plugin uses one', async () => {
    const noted = join(folder.path, 'pid')
    const module = `import os\nopen(${JSON.stringify(noted)}, "w").write(str(os.getpid()))\nkind = 3\n`
    const host = await folder.host([module])
    expect(isAlive(Number(await readFile(noted, 'utf8')))).to.equal(false)
    await diagnosticOf(host)
  })

  it('is off with a diagnostic where there is no Python, and the others work', async () => {
    const path = await folder.write('tool.py', TOOL)
    const plugins = [join(ROOT, 'providers', 'scripted'), path]
    const host = await createHost({ plugins, python: { executable: '/no/such/python' } })
    expect(await diagnosticOf(host, 'PYTHON_MISSING'))
      .to.include('"/no/such/python" of the config')
      .and.include(path)
    expect((await host.send({}, 'hello')).status).to.equal('done')
    await host.close()
  })
})
