import type { Variables } from '@braidwork/core/internal'
import { childVariables } from './find-python.ts'

/** Environment variables that configure the access to package registries. */
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
/** Matches the settings of pip and uv. */
const SETTINGS = /^(?:PIP|UV)_/
const SECRET_NAME = /PASSWORD|TOKEN|USERNAME|SECRET|KEY|AUTH|CREDENTIAL/
/** Matches a URL that may contain a password or a token. */
const SECRET_VALUE = /[@?]/

/**
 * The environment variables for an installer and for package builds, which run untrusted code: the basic ones,
 * registry settings, and the named ones. Values that may contain secrets are left out.
 */
export function installerVariables(variables: Variables, named: readonly string[]): Variables {
  const names = new Set(named)
  const own = Object.entries(variables).filter(
    ([name, value]) =>
      value !== undefined && (names.has(name) || (isForInstaller(name) && !isSecret(name, value))),
  )
  return { ...childVariables(variables), ...Object.fromEntries(own) }
}

/** The variables that the installer would use but does not get, because they may contain secrets. */
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
