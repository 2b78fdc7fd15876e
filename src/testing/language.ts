import { PYTHON } from '@braidwork/core/internal'
import { HOOKS, VALUES } from '@braidwork/plugin'
import { PluginFault } from './trial.ts'

/** What makes a hook end with its request. */
export const SIGNAL_ADVICE = 'Pass "context.signal" to every operation that waits.'

/** The same advice for a plugin in Python. */
export const PYTHON_ADVICE: { readonly [advice: string]: string } = {
  [SIGNAL_ADVICE]:
    'End each operation that waits from "context.signal.on_abort", or await it in an "async def".',
  '{...state, …}': '{**state, …}',
  'Throw an error with': 'Raise an error with',
  'Throw one with': 'Raise one with',
  '"writeOnly": true,': '"writeOnly": True, or "secret": True in the metadata of its field,',
}

const PYTHON_NAMES = new Map(
  Object.entries({ ...HOOKS, ...VALUES }).map(([name, { python }]) => [name, [python].flat()[0]]),
)

/** A fault with the names and the advice of the language in which the plugin is written. The values in it stay. */
export function inLanguageOf(plugin: object, fault: PluginFault): PluginFault {
  if (!(PYTHON in plugin)) return fault
  const [first = '', ...values] = fault.message.split('\n')
  const advised = Object.entries(PYTHON_ADVICE).reduce(
    (text, [advice, own]) => text.replaceAll(advice, () => own),
    first,
  )
  const named = advised.replaceAll(/"(\w+)"/g, (all, name: string) => {
    const own = PYTHON_NAMES.get(name)
    return own === undefined ? all : `"${own}"`
  })
  return new PluginFault([named, ...values].join('\n'))
}
