import type { Owned } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import { SPECS_OWNER } from '@braidwork/server/internal'
import { visible } from '../characters.ts'
import { EXIT } from '../exit.ts'
import type { ConfigOptions } from '../options.ts'
import { withStorage } from '../server-store.ts'
import { openForm } from '../settings/index.ts'

export interface StoreForgetOptions extends ConfigOptions {
  /** Deletes without asking. */
  readonly yes?: boolean
}

/** The kinds of items, each in the singular and in the plural. */
const KINDS: { readonly [K in keyof Owned]: readonly [one: string, more: string] } = {
  conversations: ['conversation', 'conversations'],
  runs: ['run', 'runs'],
  files: ['file', 'files'],
  values: ['value of a plugin', 'values of plugins'],
  settings: ['layer of settings', 'layers of settings'],
  agents: ['agent', 'agents'],
  documents: ['document', 'documents'],
  tokens: ['token', 'tokens'],
}

/**
 * `braidwork store forget <caller>`: deletes all that is stored of a caller, once it has said how much that is and a
 * person has agreed.
 * @throws {HostError} OPTION_INVALID where nothing is stored of the caller, or nobody can be asked
 */
export function storeForgetCommand(caller: string, options: StoreForgetOptions): Promise<number> {
  return withStorage(options, async (storage) => {
    const shown = `"${visible(caller).slice(0, 200)}"`
    if (caller === SPECS_OWNER) throw ofServer(shown)
    const lines = linesOf(await storage.owners.count(caller))
    if (lines.length === 0) throw new HostError('OPTION_INVALID', `Nothing is stored of ${shown}.`)
    process.stdout.write(`stored of ${shown}:\n${lines.join('')}`)
    if (!options.yes && !(await agrees(shown))) {
      process.stdout.write('nothing was deleted\n')
      return EXIT.failed
    }
    await storage.owners.forget(caller)
    const left = linesOf(await storage.owners.count(caller))
    process.stdout.write('deleted\n')
    if (left.length === 0) return EXIT.ok
    process.stderr.write(
      `A server has stored this meanwhile. Run the command again:\n${left.join('')}`,
    )
    return EXIT.failed
  })
}

function linesOf(owned: Owned): readonly string[] {
  return (Object.keys(KINDS) as readonly (keyof Owned)[]).flatMap((kind) => {
    const { [kind]: number } = owned
    const [one, more] = KINDS[kind]
    return number === 0 ? [] : `  ${number} ${number === 1 ? one : more}\n`
  })
}

function ofServer(shown: string): HostError {
  const message = `${shown} is no caller: the agents and models of the server are stored under this id.`
  return new HostError('OPTION_INVALID', message)
}

/** Asks on a terminal. @throws {HostError} OPTION_INVALID without one */
async function agrees(shown: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const message =
      'Nobody can be asked without a terminal, so nothing was deleted. To delete all of this, run the command again with --yes.'
    throw new HostError('OPTION_INVALID', message)
  }
  using form = await openForm()
  const options = [
    { value: true, label: 'Yes' },
    { value: false, label: 'No' },
  ]
  const message = `Delete all that is stored of ${shown}? It cannot be taken back.`
  return (await form.choose({ message, options, initial: false })) === true
}
