import { expect } from 'chai'
import { z } from 'zod'
import { type ConfigLayer, createHost, editConfig } from '../../../../src/core/index.ts'
import type { Context } from '../../../../src/plugin/index.ts'
import type { AnyPlugin } from '../../../../src/plugin/plugin.ts'
import { caller, extension, schema, tool } from '../../../helpers/plugins.ts'
import { eachPythonFolder, type PythonFolder } from '../../../helpers/python-hosts.ts'

const answer = caller('p', [{ role: 'assistant', parts: [{ type: 'text', text: 'hi' }] }], {
  models: ['plain', 'vivid'],
})

const CLOSED = {
  type: 'object',
  properties: { own: { type: 'string', default: 'mine' } },
  additionalProperties: false,
}

/** Offers the setting `color` while the model is vivid. */
const coloring = (more: object = {}) => ({
  configSchema: CLOSED,
  getUiElements: ({ model }: { readonly model?: string }) =>
    model === 'vivid'
      ? [{ id: 'color', kind: 'setting', title: 'Color', schema: { enum: ['red', 'blue'] } }]
      : [],
  ...more,
})

const VIVID = { model: 'vivid', settings: { e: { color: 'red' } } } as const

/** The settings that the hooks of the plugin "e" are given, or the error of the request. */
async function givenTo(config: ConfigLayer, more: object = {}, others: readonly AnyPlugin[] = []) {
  let given: unknown
  const init = (_config: unknown, state: object, { settings }: Context) => {
    given = settings
    return state
  }
  const plugins = [answer, extension('e', { ...coloring(more), init }), ...others]
  await using host = await createHost({ plugins })
  const { error } = await host.stream(config, 'hello').result
  return { given, error }
}

describe('a setting that getUiElements adds', () => {
  it('is accepted as the form offers it, and given to the hooks', async () => {
    const { given, error } = await givenTo(VIVID)
    expect(error).to.equal(undefined)
    expect(given).to.deep.equal({ own: 'mine', color: 'red' })
  })

  it('may be filled in by the form', async () => {
    const plugins = [answer, extension('e', coloring())]
    await using host = await createHost({ plugins, config: { model: 'vivid' } })
    const document = await host.uiSchema()
    expect(document.diagnostics).to.deep.equal([])
    const data = { ...document.data, settings: { e: { color: 'blue' } } }
    const edited = editConfig(host.config, document, data)
    expect(edited).to.deep.include({ settings: { e: { color: 'blue' } } })
    expect((await host.send(edited, 'hello')).status).to.equal('done')
    const after = await host.uiSchema(edited)
    expect(after.diagnostics).to.deep.equal([])
    expect(after.data).to.have.nested.property('settings.e.color', 'blue')
  })

  it('must match the schema of its element', async () => {
    const { error } = await givenTo({ ...VIVID, settings: { e: { color: 'loud' } } })
    expect(error).to.include({
      code: 'SETTINGS_INVALID',
      plugin: 'e',
      pointer: '/settings/e/color',
    })
    const open = { configSchema: undefined }
    const wrong = await givenTo({ ...VIVID, settings: { e: { color: 'loud' } } }, open)
    expect(wrong.error).to.include({ pointer: '/settings/e/color' })
  })

  it('is refused where the form of the config does not offer it', async () => {
    const { error } = await givenTo({ ...VIVID, model: 'plain' })
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/e/color' })
    const other = await givenTo({ ...VIVID, settings: { e: { color: 'red', colour: 'red' } } })
    expect(other.error).to.include({ code: 'SETTINGS_INVALID' })
    expect(other.error?.message).to.include('colour')
  })

  it('leaves the other settings checked by the schema of the plugin', async () => {
    const { error } = await givenTo({ ...VIVID, settings: { e: { color: 'red', own: 3 } } })
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/e/own' })
  })

  it('is none where the hook fails', async () => {
    const getUiElements = () => {
      throw new Error('none today')
    }
    const { error } = await givenTo(VIVID, { getUiElements })
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/e/color' })
  })

  it('is given beside the output of the schema of a library', async () => {
    for (const configSchema of [
      z.object({ own: z.string().default('mine') }),
      z.strictObject({ own: z.string().default('mine') }),
    ]) {
      const { given, error } = await givenTo(VIVID, { configSchema })
      expect(error).to.equal(undefined)
      expect(given).to.deep.equal({ own: 'mine', color: 'red' })
    }
  })

  it('may depend on the tools on offer, whose plugins have settings of their own', async () => {
    const asked: string[][] = []
    const getUiElements = (_config: object, { tools }: { tools: readonly { name: string }[] }) => {
      asked.push(tools.map(({ name }) => name))
      return coloring().getUiElements({ model: 'vivid' })
    }
    const search = tool('t', {
      ...coloring(),
      getToolSchemas: (_state: unknown, { settings }: Context) => [
        schema(`t_${settings['color']}`),
      ],
      executeTool: () => 'done',
    })
    const config = { ...VIVID, settings: { e: { color: 'red' }, t: { color: 'blue' } } }
    const { error } = await givenTo(config, { getUiElements }, [search])
    expect(error).to.equal(undefined)
    expect(asked).to.deep.equal([['t_blue']])
  })

  it('costs no call of the hook where the settings have none', async () => {
    let calls = 0
    const getUiElements = () => {
      calls++
      return []
    }
    for (const settings of [{}, { own: 'mine' }]) {
      const { error } = await givenTo({ settings: { e: settings } }, { getUiElements })
      expect(error).to.equal(undefined)
    }
    expect(calls).to.equal(0)
  })

  it('is accepted by the check of the config of the host, for actions too', async () => {
    const runAction = (_id: string, _input: unknown, { settings }: Context) => settings['color']
    const plugins = [answer, extension('e', coloring({ runAction }))]
    await using host = await createHost({ plugins, config: VIVID })
    expect(await host.settingsFaults()).to.deep.equal([])
    expect(await host.runAction('e', 'paint', {})).to.equal('red')
    await using plain = await createHost({ plugins, config: { ...VIVID, model: 'plain' } })
    expect((await plain.settingsFaults()).map(({ code }) => code)).to.deep.equal([
      'SETTINGS_INVALID',
    ])
  })
})

describe('a setting that get_ui_elements adds in Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  for (const [what, declared] of [
    ['a dataclass', '@dataclasses.dataclass(frozen=True)\nclass Settings:\n    own: str = "mine"'],
    [
      'a model as pydantic makes it',
      `class Settings:
    @classmethod
    def model_json_schema(cls):
        return {"properties": {"own": {"type": "string"}}, "additionalProperties": False}

    @classmethod
    def model_validate(cls, value):
        assert not set(value) - {"own"}
        made = cls()
        made.own = value.get("own", "mine")
        return made`,
    ],
    [
      'a JSON Schema',
      'Settings = {"properties": {"own": {"default": "mine"}}, "additionalProperties": False}',
    ],
  ] as const) {
    it(`is given to the hooks beside those of ${what}`, async () => {
      const host = await folder.host([
        `
import dataclasses
${declared}
kind = "feature"
name = "f"
config_schema = Settings

def get_ui_elements(config, given, context):
    return [{"id": "color", "kind": "setting", "title": "Color", "schema": {"type": "string"}}]

def init(config, state, context):
    given = context.settings
    read = given.get if isinstance(given, dict) else lambda key: getattr(given, key, None)
    context.warn(f"{read('own')} {read('color')}")
    return state
`,
      ])
      const { error, warnings } = await host.stream({ settings: { f: { color: 'red' } } }, 'hi')
        .result
      expect(error).to.equal(undefined)
      expect(warnings).to.deep.equal(['f: mine red'])
      const refused = await host.stream({ settings: { f: { colour: 'red' } } }, 'hi').result
      expect(refused.error).to.include({ code: 'SETTINGS_INVALID', plugin: 'f' })
    })
  }
})
