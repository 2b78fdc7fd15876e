import type { Variables } from '@braidwork/core/internal'
import { childVariables } from './find-python.ts'

/** How a registry is reached. */
const ROUTES = new Set([
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
])
/** Settings of the installers. */
const SETTINGS = /^(?:PIP|UV)_/
const SECRET_NAME = /PASSWORD|TOKEN|USERNAME|SECRET|KEY|AUTH|CREDENTIAL/
/** Of an address that may have a password in it, or a token. */
const SECRET_VALUE = /[@?]/

/**
 * The variables of the host that an installer sees, and with it the builds of packages, which are code of
 * strangers: what every child sees, how registries are reached, and what is named. Secrets stay behind.
 */
export function installerVariables(variables: Variables, named: readonly string[]): Variables {
  const names = new Set(named)
  const own = Object.entries(variables).filter(
    ([name, value]) =>
      value !== undefined && (names.has(name) || (isForInstaller(name) && !isSecret(name, value))),
  )
  return { ...childVariables(variables), ...Object.fromEntries(own) }
}

/** What an installer would have read, and is not given because it may hold a secret. */
export function withheld(variables: Variables, named: readonly string[]): readonly string[] {
  return Object.entries(variables).flatMap(([name, value = '']) =>
    isForInstaller(name) && isSecret(name, value) && !named.includes(name) ? [name] : [],
  )
}

function isForInstaller(name: string): boolean {
  return ROUTES.has(name.toUpperCase()) || SETTINGS.test(name)
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value)
}
