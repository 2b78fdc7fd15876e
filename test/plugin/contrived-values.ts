/** A proxy each of whose traps throws another. */
function hostileProxy(target: object = {}): object {
  const traps = Object.getOwnPropertyNames(Reflect)
  const thrower = (): never => {
    throw new Proxy(target, handler)
  }
  const handler = Object.fromEntries(traps.map((trap) => [trap, thrower]))
  return new Proxy(target, handler)
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** Throws itself wherever it is read. */
function withGetters(target: object): object {
  const members = ['message', 'code', 'cause', 'name', 'status', 'stack', 'then', 'toString']
  for (const member of [...members, 'toJSON', 'retryable', 'pointer', 'type', 'role', 'length']) {
    const get = (): never => {
      throw target
    }
    Object.defineProperty(target, member, { get, configurable: true, enumerable: true })
  }
  return target
}

function withoutText(): object {
  const refuse = (): never => {
    throw null
  }
  return { toString: refuse, toJSON: refuse, valueOf: refuse, [Symbol.toPrimitive]: refuse }
}

function cyclicCauses(): Error {
  const first = new Error('first')
  first.cause = new Error('second', { cause: first })
  return first
}

function cyclic(): object {
  const list: unknown[] = []
  list.push(list)
  return list
}

/** Passes for an error of the host until it is looked at. */
function falseHostError(): Error {
  const error = new Error('it is none')
  error.name = 'HostError'
  return Object.defineProperty(error, 'code', {
    get: () => {
      throw new TypeError('no code')
    },
  })
}

/** Says that it is an error of the host, once; then it is something else. */
function changing(): Error {
  let asked = 0
  const error = new Error('it changes')
  error.name = 'HostError'
  return Object.defineProperty(error, 'code', { get: () => (asked++ === 0 ? 'CHANGING' : 42) })
}

/** Values that nobody throws or answers but to break who takes them. */
export const CONTRIVED: { readonly [title: string]: () => unknown } = {
  null: () => null,
  undefined: () => undefined,
  'a symbol': () => Symbol('thrown'),
  'a bigint': () => 1n,
  NaN: () => Number.NaN,
  'an empty text': () => '',
  'a function': () => () => 'called',
  'a frozen object': () => Object.freeze({ code: 'FROZEN', message: 'frozen' }),
  'an object without a prototype': () => Object.create(null),
  'a proxy whose traps throw': () => hostileProxy(),
  'a proxy of a function whose traps throw': () => hostileProxy(() => undefined),
  'a proxy of a list whose traps throw': () => hostileProxy([]),
  'a proxy of an error whose traps throw': () => hostileProxy(new Error('inside')),
  'a revoked proxy': revoked,
  'an object with getters that throw': () => withGetters({}),
  'an error with getters that throw': () => withGetters(new Error('hidden')),
  'a list with getters that throw': () => {
    const list: unknown[] = [1]
    return Object.defineProperty(list, 0, {
      get: () => {
        throw list
      },
    })
  },
  'an object that is no text': withoutText,
  'a list that has itself': cyclic,
  'a huge message': () => new Error('x'.repeat(5_000_000)),
  'an error whose causes go round': cyclicCauses,
  'an error with facts of wrong types': () =>
    Object.assign(new Error('odd'), { code: 'odd code', status: 'x', retryAfter: {}, pointer: 1 }),
  'an error with a symbol as its message': () =>
    Object.defineProperty(new Error('odd'), 'message', { value: Symbol('message') }),
  'an error that only seems to be of the host': falseHostError,
  'an error that changes': changing,
}
