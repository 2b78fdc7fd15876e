import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { HostError } from '@braidwork/plugin'
import { isPublic } from './addresses.ts'

/** Resolves a host name once. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

const resolveName: Resolve = (name) => lookup(name, { all: true })

/** The IP addresses that a connection may go to. */
export interface TargetOptions {
  /** Whether addresses that are not on the public internet are allowed. */
  readonly allowPrivate: boolean
  /** The default asks the system. */
  readonly resolve?: Resolve
}

/**
 * Resolves the host of a URL and checks its addresses. A connection goes to these and no others, since a second look-up
 * could give another answer.
 * @throws {HostError} REMOTE_AGENT_FAILED
 */
export async function targetOf(
  { hostname }: URL,
  { allowPrivate, resolve = resolveName }: TargetOptions,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const addresses = family === 0 ? await resolved(host, resolve) : [{ address: host, family }]
  if (
    addresses.length > 0 &&
    (allowPrivate || addresses.every(({ address }) => isPublic(address)))
  ) {
    return addresses
  }
  const message = `"${host}" is not on the public internet. If its agent is meant, set "allow_private" in the options of the endpoint.`
  throw new HostError('REMOTE_AGENT_FAILED', message)
}

async function resolved(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  try {
    return await resolve(host)
  } catch (cause) {
    throw new HostError('REMOTE_AGENT_FAILED', `"${host}" has no IP address; check the spelling.`, {
      cause,
    })
  }
}
