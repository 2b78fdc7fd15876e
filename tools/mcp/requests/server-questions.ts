import type { JsonObject } from '@braidwork/plugin'

/** What a server asks of the person: a text, and the form of the answer or a page to visit. */
export interface Elicitation {
  readonly message: string
  readonly mode?: string
  readonly requestedSchema?: JsonObject
}

/** A person's answer, as a server gets it. */
export type ElicitationAnswer =
  | {
      readonly action: 'accept'
      readonly content: { [name: string]: string | number | boolean | string[] }
    }
  | { readonly action: 'decline' | 'cancel' }

/** What a server asks the model, as it came. */
export type SamplingRequest = { readonly [key: string]: unknown }

/** What a server is answered. */
export type SamplingAnswer = {
  readonly role: 'assistant'
  readonly content: { readonly type: 'text'; readonly text: string }
  readonly model: string
  readonly stopReason: string
}
