import { HostError } from '@braidwork/plugin'

/** Whether a value is valid, and what it must be. */
export interface Kind {
  readonly has: (value: unknown) => boolean
  readonly expected: string
}

export const TEXT: Kind = { has: isText, expected: 'a text that is not empty' }

export function invalid(message: string, pointer?: string): HostError {
  return new HostError('OPTION_INVALID', message, { pointer })
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

export function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}
