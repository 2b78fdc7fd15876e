import { causesOf, reasonOf } from '../causes.ts'
import { ProxyFault, providerError } from '../errors.ts'
import type { Profile } from '../profile.ts'

const CERTIFICATE = /certificate|self.signed|SSL|TLS|ERR_TLS|EPROTO/i
/** Node's codes for a certificate of an authority that it does not know. */
const UNKNOWN_AUTHORITY = /^(?:UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)|SELF_SIGNED|DEPTH_ZERO)/
const AUTHORITY_ADVICE = ", or give Node the authority's certificate (NODE_EXTRA_CA_CERTS)"
const NOBODY_THERE = /ECONNREFUSED|ENOTFOUND/

/**
 * The error for a failed connection, with its reason, and the cause that has the code of the system. A refused
 * certificate is not retryable.
 */
export function unreachable(error: Error, { title, name }: Profile): Error {
  const reason = reasonOf(error)
  const causes = causesOf(error)
  const isTls = CERTIFICATE.test(reason)
  const isProxy = causes.some((cause) => cause instanceof ProxyFault)
  const isElsewhere = isTls || isProxy || NOBODY_THERE.test(reason)
  const isUnknown = causes.some((cause) => UNKNOWN_AUTHORITY.test(codeOf(cause)))
  const authority = isTls && isUnknown ? AUTHORITY_ADVICE : ''
  const setting = isProxy ? 'proxy' : 'base_url'
  const advice = isElsewhere ? ` Check settings.${name}.${setting}${authority}.` : ''
  const message = `${title} could not be reached: ${reason}.${advice}`
  const cause = causes.findLast((each) => codeOf(each) !== '')
  return providerError('PROVIDER_FAILED', message, { retryable: !isTls, cause })
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
