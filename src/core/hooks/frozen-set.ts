/** A set that plugins may read and nobody may change: what one did to it would be seen by the next. */
export class FrozenSet<T> extends Set<T> {
  constructor(values: Iterable<T>) {
    super()
    for (const value of values) super.add(value)
  }

  override add(): never {
    throw refusal()
  }

  override delete(): never {
    throw refusal()
  }

  override clear(): never {
    throw refusal()
  }
}

function refusal(): TypeError {
  return new TypeError('Tags are read only; provide others by "getTags".')
}
