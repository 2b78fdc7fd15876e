import { expect } from 'chai'
import { textProvider } from '../helpers/hosts.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const FEATURE = `
import logging, sys, urllib.parse
kind = "feature"
name = "keyed"
config_schema = {"type": "object", "properties": {"key": {"type": "string", "writeOnly": True}}}

def edit_messages(messages, state, context):
    key = context.settings["key"]
    logging.warning("logged %s", key)
    print("printed", key)
    print("requested /?key=" + urllib.parse.quote(key, safe=""))
    print("printed", key, file=sys.stderr)
    return messages
`

describe('what a Python plugin prints and logs', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  for (const [title, key] of [
    ['a secret', 'sk-0123456789abcdef'],
    ['a secret that a URL encodes', 'sk/0123+4567=='],
    ['a secret of several lines', 'first-line-0123456789\nsecond-line-0123456789'],
  ] as const) {
    it(`has no ${title.slice(2)} that is in the config of a request alone`, async () => {
      const host = await folder.host([FEATURE, textProvider()])
      await host.send({ settings: { keyed: { key } } }, 'go')
      await host.close()
      const texts = folder.log.map(({ message }) => message).join('\n')
      expect(texts).to.include('logged ***').and.include('key=***').and.include('printed ***')
      for (const line of key.split('\n')) expect(texts).to.not.include(line)
    })
  }

  it('has no secret of a request in texts that a program masks', async () => {
    const host = await folder.host([FEATURE, textProvider()])
    const key = 'sk-0123456789abcdef'
    await host.send({ settings: { keyed: { key } } }, 'go')
    expect(host.maskTexts({ text: `it had ${key}` })).to.deep.equal({ text: 'it had ***' })
  })
})
