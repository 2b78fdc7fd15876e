import { fillReferences, unsetIn, valueAt, variablesIn } from '@braidwork/core/internal'
import type { SpecFault } from '../spec-faults.ts'

/** The texts of an agent that a model or a client is shown. They stay as they are written. */
export const AS_WRITTEN: readonly string[] = ['description', 'system_prompt', 'sections', 'team']

type Fields = { readonly [key: string]: unknown }

/** The parts of a spec in which `${env:NAME}` refers to a variable. */
export function referringParts(spec: object): Fields {
  const parts = Object.entries(spec).filter(([key]) => !AS_WRITTEN.includes(key))
  return Object.fromEntries(parts)
}

/** A spec as its check sees it: with the values of variables. References to those that are not set stay. */
export function withValues(spec: Fields): Fields {
  const parts = referringParts(spec)
  return { ...spec, ...fillReferences(parts, { ...unsetIn(parts), ...process.env }).config }
}

/** A fault with the variables that the value at its place comes from. */
export function withVariables(spec: Fields, { pointer, message }: SpecFault): SpecFault {
  const found = variablesIn(valueAt(referringParts(spec), pointer))
  if (found.length === 0) return { pointer, message }
  const names = found.map((name) => {
    const unset = process.env[name] === undefined ? ', which is not set' : ''
    return `"${name}"${unset}`
  })
  const origin = names.join(' and ')
  return { pointer, message: `${message}; the value comes from the environment variable ${origin}` }
}
