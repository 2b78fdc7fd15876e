import { isData, isTool, type ToolPart, type UiPart } from './types.ts'

/** The parts of a message that grows, and where the parts with ids are. A change replaces a part by a new one. */
export class PartList {
  readonly #parts: UiPart[] = []
  /** By the id of a call, where its parts are, in their order. A message has several where an id is repeated. */
  readonly #calls = new Map<string, number[]>()
  readonly #data = new Map<string, number>()
  /** By the id of an approval, the call that asks for it. */
  readonly #approvals = new Map<string, number>()
  #stepStart = 0

  constructor(parts: readonly UiPart[] = []) {
    for (const part of parts) this.push(part)
  }

  /** The parts as they are now. */
  snapshot(): readonly UiPart[] {
    return [...this.#parts]
  }

  at(index: number): UiPart | undefined {
    return this.#parts[index]
  }

  /** Adds a part and returns its place. */
  push(part: UiPart): number {
    const index = this.#parts.push(part) - 1
    if (part.type === 'step-start') this.#stepStart = index + 1
    else this.#note(part, index)
    return index
  }

  replace(index: number, part: UiPart): void {
    this.#parts[index] = part
    this.#noteApproval(part, index)
  }

  /** Where a call is: first in the current step, else in the latest step that has it. */
  placeOfCall(callId: string): number | undefined {
    const places = this.#calls.get(callId) ?? []
    let at = places.length - 1
    while (at > 0 && (places[at - 1] ?? 0) >= this.#stepStart) at--
    return places[at]
  }

  /** Where the current step has a call, whether its tool is known by name or not. */
  placeOfAnyInStep(id: string): number | undefined {
    const place = this.placeOfCall(id)
    return place !== undefined && place >= this.#stepStart ? place : undefined
  }

  /** Where the current step has a call, of a tool that is known by name or of one that is not. */
  placeInStep(callId: string, isDynamic: boolean): number | undefined {
    const places = this.#calls.get(callId) ?? []
    for (let at = places.length - 1; at >= 0; at--) {
      const index = places[at] ?? 0
      if (index < this.#stepStart) return undefined
      if ((this.#parts[index]?.type === 'dynamic-tool') === isDynamic) return index
    }
    return undefined
  }

  placeOfData(type: string, id: string): number | undefined {
    return this.#data.get(keyOf(type, id))
  }

  placeOfApproval(approvalId: string): number | undefined {
    const index = this.#approvals.get(approvalId)
    const part = index === undefined ? undefined : this.#parts[index]
    return part && isTool(part) && part.approval?.id === approvalId ? index : undefined
  }

  call(index: number | undefined): ToolPart | undefined {
    const part = index === undefined ? undefined : this.#parts[index]
    return part && isTool(part) ? part : undefined
  }

  /** Drops the parts of the current step. */
  resetStep(): void {
    while (this.#parts.length > this.#stepStart) {
      const part = this.#parts.pop()
      if (part && isTool(part)) this.#calls.get(part.toolCallId)?.pop()
      else if (part && isData(part) && part.id !== undefined) this.#dropData(part.type, part.id)
    }
  }

  #dropData(type: string, id: string): void {
    const key = keyOf(type, id)
    if (this.#data.get(key) === this.#parts.length) this.#data.delete(key)
  }

  #note(part: UiPart, index: number): void {
    if (isTool(part)) {
      const places = this.#calls.get(part.toolCallId)
      if (places) places.push(index)
      else this.#calls.set(part.toolCallId, [index])
      this.#noteApproval(part, index)
    } else if (isData(part) && part.id !== undefined) {
      const key = keyOf(part.type, part.id)
      if (!this.#data.has(key)) this.#data.set(key, index)
    }
  }

  #noteApproval(part: UiPart, index: number): void {
    if (isTool(part) && part.approval) this.#approvals.set(part.approval.id, index)
  }
}

function keyOf(type: string, id: string): string {
  return JSON.stringify([type, id])
}
