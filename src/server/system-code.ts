import { codeOf, isError } from '@braidwork/core/internal'

/** The most errors of a chain of causes that are looked at. */
const MOST_CAUSES = 8

/**
 * Codes of the operating system, of DNS, of certificates and of TLS, and the status of a proxy. Only they may be logged:
 * a plugin can put other text into the code of an error.
 */
const SYSTEM =
  /^(?:E[A-Z0-9]{2,20}|EAI_[A-Z]{2,20}|ERR_(?:TLS|SSL)_[A-Z0-9_]{2,60}|(?:CERT|CRL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)_[A-Z_]{2,60}|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|PROXY_STATUS_\d{3})$/

/** The first code of the system in an error and its causes, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export function systemCode(thrown: unknown): string | undefined {
  let at = thrown
  for (let count = 0; isError(at) && count < MOST_CAUSES; count++) {
    const code = codeOf(at)
    if (SYSTEM.test(code)) return code
    at = at.cause
  }
  return undefined
}
