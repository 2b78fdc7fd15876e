import type { Storage } from '@braidwork/agent'

type Add = (operation: string, seconds: number) => void

/** Returns a storage that reports how long each call of its parts takes, as `runs.append` and the like. */
export function measuredStorage(storage: Storage, add: Add): Storage {
  const part = <K extends keyof Storage>(name: K, target: Storage[K] & object) =>
    measuredPart(name, target, add)
  return {
    conversations: part('conversations', storage.conversations),
    runs: part('runs', storage.runs),
    approvals: part('approvals', storage.approvals),
    files: part('files', storage.files),
    settings: part('settings', storage.settings),
    agents: part('agents', storage.agents),
    documents: part('documents', storage.documents),
    tokens: part('tokens', storage.tokens),
    owners: part('owners', storage.owners),
    counters: part('counters', storage.counters),
    shared: part('shared', storage.shared),
    storageOf: (plugin, conversationId) => storage.storageOf(plugin, conversationId),
    usage: (owner) => storage.usage(owner),
    exportRecords: (owner) => storage.exportRecords(owner),
    importRecords: (records) => storage.importRecords(records),
    compact: () => storage.compact(),
    check: () => storage.check(),
    close: () => storage.close(),
  }
}

function measuredPart<T extends object>(part: string, target: T, add: Add): T {
  const known = new Map<PropertyKey, unknown>()
  return new Proxy(target, {
    get: (_, name) => {
      if (known.has(name)) return known.get(name)
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      const wrapped = (...args: unknown[]): unknown => {
        const since = performance.now()
        const answer: unknown = Reflect.apply(member, target, args)
        if (answer instanceof Promise) {
          const done = () => add(`${part}.${String(name)}`, (performance.now() - since) / 1000)
          answer.then(done, done)
        }
        return answer
      }
      known.set(name, wrapped)
      return wrapped
    },
  })
}
