import { expect } from 'chai'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const KIND = 'kind = "tool"\nname = "t"\n'
const HELPER = 'import json\n\ndef go():\n    return json.loads("{")\n\nx = go()\n'

/** Modules that cannot be imported; what is said of them, and the place. */
const CASES: readonly (readonly [title: string, module: string, said: string, place: string])[] = [
  ['raises an exception', `${KIND}\n1 / 0\n`, 'ZeroDivisionError: division by zero', 't.py:4'],
  [
    'imports a module of its own that raises one in a library',
    `${KIND}from .helper import x\n`,
    'JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    'helper.py:4',
  ],
  ['exits with a text', `${KIND}import sys\nsys.exit("bye")\n`, 'SystemExit: bye', 't.py:4'],
  ['asks for input', `${KIND}input()\n`, 'EOFError: EOF when reading a line', 't.py:3'],
  ['is no Python', `${KIND}def (:\n`, 'SyntaxError: invalid syntax', 't.py:3'],
]

describe('the import of a plugin in Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  for (const [title, module, said, place] of CASES) {
    it(`fails with the class of the exception and its place in the plugin where the module ${title}`, async () => {
      await folder.write('helper.py', HELPER)
      const host = await folder.host([await folder.write('t.py', module)])
      const at = `${folder.path}/${place}`
      expect(host.diagnostics.map(({ message }) => message)).to.deep.equal([
        `Plugin "${folder.path}/t.py" could not be loaded: ${said} (${at}).`,
      ])
      const { error, stack } = { error: '', stack: '', ...folder.log.find((one) => 'stack' in one) }
      expect(said).to.include(error).and.match(/^\w+/)
      expect(stack)
        .to.match(/^Traceback|^ {2}File/)
        .and.include(said.split(':')[0])
    })
  }
})
