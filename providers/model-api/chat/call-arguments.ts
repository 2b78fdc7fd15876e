import { GrowingText, isObject } from '@braidwork/plugin'
import { parseArguments } from '../json.ts'
import { ObjectEnd } from './object-end.ts'

/** The arguments of a tool call while they are received. */
export class CallArguments {
  readonly #text = new GrowingText()
  readonly #end = new ObjectEnd()
  /** The result of the check below, once it was made. */
  #isObject: boolean | undefined

  get length(): number {
    return this.#text.length
  }

  /** Whether the arguments are a complete JSON object. They are parsed once, when the brackets are closed. */
  get isWhole(): boolean {
    if (!this.#end.isReached) return false
    this.#isObject ??= isObject(parseArguments(this.toString()))
    return this.#isObject
  }

  add(piece: string): void {
    this.#text.add(piece)
    this.#end.add(piece)
  }

  toString(): string {
    return this.#text.toString()
  }
}
