/** A read-only set. All plugins share one, so a plugin that changed it would affect the others. */
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
  return new TypeError('Tags are read-only; provide your own tags with "getTags".')
}
