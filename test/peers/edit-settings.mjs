/**
 * What an editor makes of settings.json. Reads {schema, documents} from stdin, a document being {text,
 * complete?: at this text}; prints for each what is wrong, and what it would complete.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { getLanguageService, TextDocument } = require('vscode-json-languageservice')

const URI = 'file:///settings.json'

let input = ''
for await (const piece of process.stdin) input += piece
const { schema, documents } = JSON.parse(input)
const service = getLanguageService({})
service.configure({ schemas: [{ uri: 'settings', fileMatch: ['*'], schema }] })
const results = []
for (const document of documents) results.push(await look(document))
process.stdout.write(JSON.stringify(results))

async function look({ text, complete }) {
  const document = TextDocument.create(URI, 'json', 1, text)
  const json = service.parseJSONDocument(document)
  const faults = await service.doValidation(document, json)
  const position = document.positionAt(text.indexOf(complete ?? text) + (complete ?? '').length)
  const { items } = await service.doComplete(document, position, json)
  return {
    faults: faults.map(({ message }) => message),
    completions: items.map(({ label, documentation }) => ({ label, documentation })),
  }
}
