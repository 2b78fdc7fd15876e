import { type Answer, checkOf } from './ask-field.ts'
import type { Field } from './fields.ts'
import type { Prompts } from './prompts.ts'

/** Asks for a secret: typed without echo, or the name of an environment variable to read at each load. */
export async function askSecret(
  field: Field,
  prompts: Prompts,
  { isSet, variable }: { readonly isSet: boolean; readonly variable: string | undefined },
): Promise<Answer | undefined> {
  const fromVariable = { value: 'variable', label: 'Read it from an environment variable' } as const
  const typed = { value: 'typed', label: 'Type it in and store it in the file' } as const
  const how = await prompts.choose({
    message: `${field.label} (${isSet ? 'set' : 'not set'})`,
    options: [
      fromVariable,
      typed,
      ...(isSet ? [{ value: 'none', label: 'Remove it from the file' } as const] : []),
    ],
    initial: variable === undefined ? 'typed' : 'variable',
  })
  if (how === 'none') return { value: undefined }
  if (how === 'variable') return askVariable(field, prompts, variable)
  return how === 'typed' ? askTyped(field, prompts) : undefined
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

async function askVariable(
  { label, path }: Field,
  prompts: Prompts,
  variable = path.slice(1).join('_').replaceAll(/\W/g, '_').toUpperCase(),
): Promise<Answer | undefined> {
  const name = await prompts.text({
    message: `${label}: the variable's name`,
    initial: variable,
    check: (given) =>
      VARIABLE.test(given)
        ? undefined
        : 'Use letters, digits and "_", and do not begin with a digit.',
  })
  if (name === undefined) return undefined
  if (!process.env[name]) prompts.say(`"${name}" is not set at present.`, 'warning')
  return { value: `\${env:${name}}` }
}

async function askTyped({ label, schema }: Field, prompts: Prompts): Promise<Answer | undefined> {
  const check = await checkOf(schema)
  const value = await prompts.secret({
    message: `${label} (typing is hidden)`,
    check: (given) => (given === '' ? 'Enter a value.' : check(given)),
  })
  return value === undefined ? undefined : { value }
}
