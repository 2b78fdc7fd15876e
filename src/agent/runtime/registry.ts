import { didYouMean, listed } from '@braidwork/core/internal'
import { type ErrorCode, HostError } from '@braidwork/plugin'
import { frozenCopy } from '@braidwork/plugin/internal'

/** What a registry holds, for its error. */
export interface RegistryKind {
  /** Such as `agent`. */
  readonly noun: string
  readonly missing: ErrorCode
}

/** Who refers to an id, for the error if there is none. */
export interface Reference {
  /** The spec that refers to it. */
  readonly owner?: string
  /** Ids of other registries that it might refer to as well. */
  readonly more?: readonly string[]
  /** The id of the owner, if it is in the same registry: it is no suggestion. */
  readonly ownerId?: string
  /** JSON pointer of the reference in the spec of its owner. */
  readonly pointer?: string
}

/** How errors name a spec, whatever it is. */
export function nameOf({ noun }: RegistryKind, spec: unknown): string {
  const { id } = Object(spec) as { readonly id?: unknown }
  return typeof id === 'string' ? `The ${noun} "${id.slice(0, 100)}"` : `The spec of the ${noun}`
}

/** Specs by id, in the order in which they were added. */
export class Registry<T extends { readonly id: string }> {
  readonly #kind: RegistryKind
  readonly #specs = new Map<string, T>()

  constructor(kind: RegistryKind, specs: Iterable<T> = []) {
    this.#kind = kind
    for (const spec of specs) this.#specs.set(spec.id, spec)
  }

  get all(): readonly T[] {
    return [...this.#specs.values()]
  }

  /** Adds a copy of a spec, frozen with all in it. @throws {HostError} SPEC_INVALID if its id is taken */
  add(spec: T): void {
    const { id } = spec
    const { noun } = this.#kind
    if (this.#specs.has(id)) {
      const message = `There are two specs of the ${noun} "${id}". Rename or remove one.`
      throw new HostError('SPEC_INVALID', message, { pointer: '/id' })
    }
    this.#specs.set(id, frozenCopy(spec))
  }

  /** These specs, with another one for the agent or model of the same id. */
  with(spec: T): Registry<T> {
    return new Registry(
      this.#kind,
      this.all.map((one) => (one.id === spec.id ? frozenCopy(spec) : one)),
    )
  }

  has(id: string): boolean {
    return this.#specs.has(id)
  }

  get ids(): readonly string[] {
    return [...this.#specs.keys()]
  }

  /** @throws {HostError} the code of the registry's kind */
  get(id: string, { owner, ownerId, more = [], pointer }: Reference = {}): T {
    const spec = this.#specs.get(id)
    if (spec) return spec
    const { noun, missing } = this.#kind
    const known = [...this.ids, ...more]
    const list = known.length > 0 ? `The known ones are ${listed(known)}.` : 'None is known.'
    const whose = owner === undefined ? '' : `${owner} refers to it. `
    const name = String(id).slice(0, 100)
    const meant = didYouMean(
      name,
      known.filter((one) => one !== ownerId),
    )
    const message = `There is no ${noun} "${name}". ${whose}${list}${meant}`
    throw new HostError(missing, message, { pointer })
  }
}

export const AGENTS: RegistryKind = { noun: 'agent', missing: 'AGENT_NOT_FOUND' }
export const MODELS: RegistryKind = { noun: 'model', missing: 'MODEL_NOT_FOUND' }
export const POOLS: RegistryKind = { noun: 'pool', missing: 'MODEL_NOT_FOUND' }
