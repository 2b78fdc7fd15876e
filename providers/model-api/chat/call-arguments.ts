import { GrowingText, isObject } from '@braidwork/plugin'
import { parseArguments } from '../json.ts'
import { ObjectEnd } from './object-end.ts'

/** The arguments of a call, as they come. */
export class CallArguments {
  readonly #text = new GrowingText()
  readonly #end = new ObjectEnd()
  /** What they turned out to be when they were read. */
  #isObject: boolean | undefined

  get length(): number {
    return this.#text.length
  }

  /** Whether they are an object that has ended; they are read once, when they may be. */
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
