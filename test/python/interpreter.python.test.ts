import { expect } from 'chai'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const ENDING = `
import os

kind = "feature"
name = "ending"

def run_action(id, input):
    os._exit(3)
`

describe('the base interpreter', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('says after how many seconds it begins again where it keeps ending', async () => {
    const made = await folder.host([ENDING])
    for (let end = 0; end < 8; end++) {
      await made.runAction('ending', 'exit', null).catch(() => undefined)
    }
    const { diagnostics } = await made.resolve()
    const said = diagnostics.map(({ message }) => message).join()
    expect(Number(/is not restarted for (\d+) s/.exec(said)?.[1]), said).to.be.within(1, 60)
  })
})
