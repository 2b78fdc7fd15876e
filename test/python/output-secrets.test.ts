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

  it('has no secret as Python writes it into addresses, JSON and Base64', async () => {
    const writing = `
import base64, json, urllib.parse
kind = "feature"
name = "keyed"
config_schema = {"type": "object", "properties": {"key": {"type": "string", "writeOnly": True}}}

def edit_messages(messages, state, context):
    key = context.settings["key"]
    for written in (
        urllib.parse.quote(key),
        urllib.parse.urlencode({"key": key}),
        json.dumps({"key": key}),
        base64.b64encode(("me:" + key).encode()).decode(),
        base64.urlsafe_b64encode(key.encode()).decode(),
    ):
        print(written)
        context.log(written)
    raise ValueError(urllib.parse.quote_plus(key))
`
    const host = await folder.host([writing, textProvider()])
    const key = 'k+Zm9v/Y (é) "0123456789'
    const { error } = await host.stream({ settings: { keyed: { key } } }, 'go').result
    await host.close()
    const texts = [error?.message, ...folder.log.map(({ message }) => message)]
    expect(texts.filter((text) => text?.includes('***'))).to.have.length.at.least(7)
    const bytes = Buffer.from(key)
    const written = [bytes.toString('base64').slice(4, 20), '0123456789', '0MTIzNDU2']
    for (const one of written) expect(texts.join('\n')).to.not.include(one)
  })

  it('has no secret of a request in texts that a program masks', async () => {
    const host = await folder.host([FEATURE, textProvider()])
    const key = 'sk-0123456789abcdef'
    await host.send({ settings: { keyed: { key } } }, 'go')
    expect(host.maskTexts({ text: `it had ${key}` })).to.deep.equal({ text: 'it had ***' })
  })
})
