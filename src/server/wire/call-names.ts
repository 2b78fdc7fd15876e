import type { Fields } from './fields.ts'

/**
 * Finds the tool names for the results in a history. A result names its call by id only. It must follow its call,
 * and each call has one result.
 */
export class CallNames {
  readonly #open = new Map<string, string>()
  readonly #isContinued: boolean

  /** @param isContinued whether earlier calls are stored elsewhere; their results then get an empty name for now */
  constructor(isContinued = false) {
    this.#isContinued = isContinued
  }

  add(callId: string, name: string): void {
    this.#open.set(callId, name)
  }

  /**
   * Returns the call that a result belongs to.
   * @throws {HostError} REQUEST_INVALID at the field with the call's id
   */
  answer(fields: Fields, field: string): { readonly callId: string; readonly name: string } {
    const callId = fields.need(field)
    const name = this.#open.get(callId) ?? (this.#isContinued ? '' : undefined)
    if (name === undefined) {
      throw fields.fault(field, 'must be the id of an earlier call that has no result yet')
    }
    this.#open.delete(callId)
    return { callId, name }
  }
}
