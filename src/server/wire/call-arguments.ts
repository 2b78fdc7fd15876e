import { findJsonFault } from '@braidwork/plugin'

/**
 * Parses the arguments of a call. Text that is not valid JSON, or nested too deeply, stays the text that the model
 * wrote.
 */
export function argumentsIn(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return findJsonFault(value) ? text : value
  } catch {
    return text
  }
}
