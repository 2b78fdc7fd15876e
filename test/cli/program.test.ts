import { expect } from 'chai'
import { createProgram } from '../../src/cli/program.ts'

type Command = ReturnType<typeof createProgram>

/** A command and all its subcommands, by their names. */
function commandsOf(command: Command, above = ''): readonly (readonly [string, Command])[] {
  const name = `${above} ${command.name()}`.trim()
  return [[name, command], ...command.commands.flatMap((one) => commandsOf(one, name))]
}

describe('the help of the command', () => {
  const commands = commandsOf(createProgram(() => undefined))

  it('has all commands', () => {
    expect(commands.map(([name]) => name)).to.include.members([
      'braidwork chat',
      'braidwork serve',
      'braidwork plugins add',
    ])
  })

  for (const [name, command] of commands) {
    it(`describes the command, its arguments and its options: ${name}`, () => {
      const own = [command.description() || command.summary()]
      const options = command.options.map(({ description }) => description)
      const given = command.registeredArguments.map(({ description }) => description)
      for (const text of [...own, ...options, ...given]) expect(text).to.match(/\S/)
    })
  }
})
