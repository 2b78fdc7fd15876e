import { HostError, isObject } from '@braidwork/plugin'
import { checkConfig } from './check-config.ts'
import { type ConfigLayer, fillReferences, type Variables, variablesIn } from './layers.ts'
import { pointerPath, valueAt } from './secret-marks.ts'

/**
 * Checks a layer as {@link checkConfig}, but where a text refers to variables, by their values. The layer keeps its
 * references, so that the host that fills them in knows the values as secrets.
 * @throws {HostError} CONFIG_INVALID, which names the variables that a wrong value comes from; ENV_MISSING where the
 * check needs a variable that is not set
 */
export function checkReferring(value: unknown, variables: Variables): ConfigLayer {
  const first = faultOf(value)
  if (first === undefined) return value as ConfigLayer
  if (!isObject(value) || variablesAt(value, first).length === 0) throw first
  const known = { ...unsetIn(value), ...variables }
  const fault = faultOf(fillReferences(value, known).config)
  if (fault === undefined) return value
  const names = variablesAt(value, fault)
  if (names.length === 0) throw fault
  const [key = ''] = pointerPath(fault.pointer ?? '')
  fillReferences({ [key]: value[key] }, variables)
  const origin = names.map((name) => `"${name}"`).join(' and ')
  const message = `${fault.message}. The value comes from the environment variable ${origin}.`
  throw new HostError(fault.code, message, { pointer: fault.pointer })
}

/** Maps each variable that a config refers to, to the reference itself: `NAME` to `${env:NAME}`. */
export function unsetIn(config: object): { readonly [variable: string]: string } {
  const names = variablesIn(JSON.stringify(config))
  return Object.fromEntries(names.map((name) => [name, `\${env:${name}}`]))
}

function faultOf(value: unknown): HostError | undefined {
  try {
    checkConfig(value)
    return undefined
  } catch (error) {
    if (HostError.is(error)) return error
    throw error
  }
}

/** The variables that the text at the place of a fault refers to. */
function variablesAt(config: object, { pointer = '' }: HostError): readonly string[] {
  return variablesIn(valueAt(config, pointer))
}
