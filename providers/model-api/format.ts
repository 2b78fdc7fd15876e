import type { Config, Context, JsonObject, Message, PartialEvent } from '@braidwork/plugin'
import type { Ending } from './events/event-stream.ts'
import type { Framing } from './events/framing.ts'
import type { FileRules } from './files.ts'
import type { CallIds } from './history.ts'
import type { Profile } from './profile.ts'
import type { RequestInput } from './request-input.ts'

/** A piece of an answer: a text, a message of the assistant whose parts are appended, or an event. */
export type Piece = string | Message | PartialEvent

/** Collects the chunks of one answer: converts each to partials, and all of them to the whole answer. */
export interface Gathering {
  /** The number of calls, blocks, items and sources that are kept. */
  readonly held: number
  add(chunk: JsonObject): readonly Piece[]
  /** Ends the answer. @returns the last partials, and the whole answer; absent if the host gathers it of the partials */
  end(): { readonly events: readonly Piece[]; readonly final?: JsonObject }
}

/** A body in place of one that the API refused, and the warning about what it lacks. */
export interface Repair {
  readonly body: JsonObject
  readonly warning: string
}

/** The format of an API that is only asked for streams: path, request body, and how to read answers. */
export interface StreamFormat {
  readonly profile: Profile
  readonly callIds: CallIds
  readonly files: FileRules
  /** The path below the base URL. */
  readonly path: string
  /** How a stream is divided into chunks; by default into server-sent events. */
  readonly framing?: Framing
  /** The list field that a complete answer has, if it has one, and whether the list may be empty. */
  readonly list?: string
  readonly mayBeEmpty?: boolean
  request(input: RequestInput): JsonObject | Promise<JsonObject>
  /** The same body, changed to ask for a stream. */
  streaming(body: JsonObject): JsonObject
  /** Another form of a body, if the API refused it by an error that this form avoids. It is sent once. */
  repair?(body: JsonObject, refusal: unknown): Repair | undefined
  /** Headers in addition to those of the settings. */
  headers?(body: JsonObject, config: Config): { readonly [name: string]: string }
  readonly ending: Ending
  /** A whole answer as the only chunk of a stream: some servers send one although a stream was requested. */
  wholeAsChunk(answer: JsonObject): JsonObject
  gather(context: Context): Gathering
}

/** The format of an API that gives whole answers too. */
export interface Format extends StreamFormat {
  /** @param isRepaired - whether the answer is to another form of the request */
  message(answer: JsonObject, isRepaired: boolean): Message
}
