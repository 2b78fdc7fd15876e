import { expect } from 'chai'
import { createProgram } from '../../src/cli/program.ts'
import { refuseUnknownCommand } from '../../src/cli/unknown-command.ts'

describe('a word that is no command of its group', () => {
  /** What is printed for a command line. Empty if it is not refused. */
  function saidOf(...words: readonly string[]): string {
    let said = ''
    const program = createProgram(() => undefined)
    const writeErr = (text: string) => {
      said += text
    }
    for (const group of program.commands) group.configureOutput({ writeErr })
    try {
      refuseUnknownCommand(program, words)
    } catch (error) {
      expect(error).to.have.property('name', 'CommanderError')
    }
    return said
  }

  it('is refused with the command that was probably meant', () => {
    for (const [words, meant] of [
      ['plugins upgrade', 'update'],
      ['plugins install foo --yes', 'add'],
      ['plugins ad foo', 'add'],
      ['agents lst', 'list'],
      ['mcp logn x', 'login'],
      ['config chek', 'check'],
      ['runs lisst', 'list'],
    ] as const) {
      expect(saidOf(...words.split(' ')), words).to.equal(
        `error: unknown command '${words.split(' ')[1]}'\n(Did you mean ${meant}?)\n`,
      )
    }
  })

  it('is refused with all commands of the group where none is similar', () => {
    expect(saidOf('plugins', 'frobnicate')).to.equal(
      "error: unknown command 'frobnicate'\nCommands of plugins: list, info, add, update, remove\n",
    )
  })

  it('is left to commands that take it', () => {
    for (const words of ['plugins', 'plugins add foo', 'plugins help', 'plugins --json', 'chat hi'])
      expect(saidOf(...words.split(' ')), words).to.equal('')
  })
})
