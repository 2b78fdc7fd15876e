import { isObject, type JsonObject, type PartialEvent } from '@braidwork/plugin'
import { isBlank, textIn, without } from '../json.ts'
import { CallArguments } from './call-arguments.ts'
import { isCustom, nameIn, nameOf, writtenIn } from './fields.ts'
import { callIdOf, type Place } from './message.ts'

interface OpenCall {
  /** The index of the call in the answer. */
  readonly place: number
  /** The index that the server gave. */
  readonly index: number | undefined
  /** The number of the last chunk with a delta of this call. */
  chunk: number
  /** The call's fields except the arguments. Deltas add to it in place. */
  readonly call: { [key: string]: unknown }
  text: CallArguments
  /** The arguments that no partial event contains yet. */
  unshown: string
  /** Whether any arguments were shown. */
  isShown: boolean
  /** The id, after the call was announced. */
  id: string | undefined
}

/** The number of the current chunk, and the answer so far. */
interface Around {
  readonly chunk: number
  readonly completion: JsonObject
}

/** Collects the tool calls of one answer. Servers differ in how a delta identifies its call. */
export class OpenCalls {
  readonly #calls: OpenCall[] = []
  readonly #byIndex = new Map<number, OpenCall>()
  readonly #byId = new Map<string, OpenCall>()
  readonly #ids = new Set<string>()
  readonly #order: Place[]

  /** `order` receives the place of each call when the call is announced. */
  constructor(order: Place[]) {
    this.#order = order
  }

  get count(): number {
    return this.#calls.length
  }

  add(delta: JsonObject, around: Around): readonly PartialEvent[] {
    const open = this.#openFor(delta, around.chunk)
    open.chunk = around.chunk
    // Some servers repeat the name in every delta.
    const called = { name: nameIn(open.call) ?? nameIn(delta) }
    const field = isCustom(open.call) || isCustom(delta) ? 'custom' : 'function'
    Object.assign(open.call, without(delta, 'function', 'custom', 'index', 'id'), {
      id: textIn(open.call['id']) ?? textIn(delta['id']),
      [field]: called,
    })
    addArguments(open, writtenIn(delta))
    if (open.id === undefined) return nameIn(delta) ? this.#announce(open, around.completion) : []
    return isEmptyObject(open.text) || isNothing(open) ? [] : show(open)
  }

  /** Announces the calls that never got a name, and shows held-back arguments. */
  end(completion: JsonObject): readonly PartialEvent[] {
    return this.#calls.flatMap((open) => [
      ...(open.id === undefined ? this.#announce(open, completion) : []),
      ...(isNothing(open) ? [] : show(open)),
    ])
  }

  /** The complete calls, as in a message without streaming. */
  whole(): readonly JsonObject[] {
    return this.#calls.map(({ call, text, id }) => {
      const written = text.toString()
      const { custom, function: called } = call
      if (isObject(custom)) return { ...call, id, custom: { ...custom, input: written } }
      return { ...call, id, function: { ...(isObject(called) ? called : {}), arguments: written } }
    })
  }

  #openFor(delta: JsonObject, chunk: number): OpenCall {
    const index = typeof delta['index'] === 'number' ? delta['index'] : undefined
    const id = textIn(delta['id'])
    const named = id === undefined ? undefined : this.#byId.get(id)
    const isNamed = named !== undefined && (index === undefined || named.index === index)
    const counted = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index)
    const known = isNamed ? named : counted
    if (known && !beginsAnother(known, delta, chunk)) return known
    const place = this.#calls.length
    const open = openCall({ place, index, chunk })
    this.#calls.push(open)
    if (index !== undefined) this.#byIndex.set(index, open)
    if (id !== undefined) this.#byId.set(id, open)
    return open
  }

  /** Announces a call as soon as its name is known, or at the end. */
  #announce(open: OpenCall, completion: JsonObject): PartialEvent[] {
    const { place } = open
    open.id = callIdOf(open.call, { completion, index: place, taken: this.#ids })
    this.#order.push(place)
    const start: PartialEvent = { type: 'tool-call-start', id: open.id, name: nameOf(open.call) }
    return isEmptyObject(open.text) || isNothing(open) ? [start] : [start, ...show(open)]
  }
}

function openCall(begun: Pick<OpenCall, 'place' | 'index' | 'chunk'>): OpenCall {
  const text = new CallArguments()
  return { ...begun, call: {}, text, unshown: '', isShown: false, id: undefined }
}

/**
 * Whether a delta begins a new call although its index or id (or the lack of both) points to an open one. Some
 * servers number every call 0 or give no number; others change the id in every delta, or repeat the name.
 */
function beginsAnother({ call, text, chunk }: OpenCall, delta: JsonObject, now: number): boolean {
  const [id, name] = [textIn(delta['id']), nameIn(delta)]
  const [knownId, knownName] = [textIn(call['id']), nameIn(call)]
  const hasOtherId = id !== undefined && knownId !== undefined && id !== knownId
  const isNamedTwice = name !== undefined && knownName !== undefined
  if (isNamedTwice && name !== knownName) return true
  if (!hasOtherId && (id !== undefined || name === undefined)) return false
  // The list of one chunk contains each call only once.
  if (chunk === now && (hasOtherId || isNamedTwice)) return true
  const added = writtenIn(delta)
  if (text.isWhole) return added.trim() !== '' || (hasOtherId && isNamedTwice)
  return hasOtherId && isNamedTwice && text.length === 0 && added === ''
}

/** Adds arguments. After complete arguments, new ones are a repetition, or replace an empty object. */
function addArguments(open: OpenCall, added: string): void {
  const isTold = !isCustom(open.call) && open.text.isWhole && added.trimStart().startsWith('{')
  if (isTold) open.text = new CallArguments()
  open.text.add(added)
  // Shown arguments cannot be taken back; the call's end event contains the correct ones.
  if (!isTold) open.unshown += added
  else if (!open.isShown) open.unshown = added
}

/** The event for the arguments that were not shown yet. */
function show(open: OpenCall): PartialEvent[] {
  const delta = open.unshown
  open.unshown = ''
  if (delta === '' || open.id === undefined) return []
  open.isShown = true
  return [{ type: 'tool-call-delta', id: open.id, delta }]
}

/** Whether the arguments of a function are none so far. */
function isNothing({ call, text }: OpenCall): boolean {
  return !isCustom(call) && text.length < 8 && isBlank(text.toString())
}

/** Some servers send an empty object before the arguments. */
function isEmptyObject(text: CallArguments): boolean {
  return text.length < 8 && /^\s*\{\s*\}\s*$/.test(text.toString())
}
