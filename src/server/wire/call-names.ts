import type { Fields } from './fields.ts'

/** Calls of a history: a result names its call by the id alone, and stands after it, once. */
export class CallNames {
  readonly #open = new Map<string, string>()
  readonly #isContinued: boolean

  /** @param isContinued whether earlier calls are elsewhere: the results of those have no name yet */
  constructor(isContinued = false) {
    this.#isContinued = isContinued
  }

  add(callId: string, name: string): void {
    this.#open.set(callId, name)
  }

  /**
   * The tool that a result is of.
   * @throws {HostError} REQUEST_INVALID at the field with the id of the call
   */
  answer(fields: Fields, field: string): { readonly callId: string; readonly name: string } {
    const callId = fields.need(field)
    const name = this.#open.get(callId) ?? (this.#isContinued ? '' : undefined)
    if (name === undefined) {
      throw fields.fault(field, 'is the id of no call before it that is still without a result')
    }
    this.#open.delete(callId)
    return { callId, name }
  }
}
