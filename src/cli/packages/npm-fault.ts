import { HostError, VERSION } from '@braidwork/plugin'

/** What npm's codes mean for a person who adds a plugin. */
const REASONS: { readonly [code: string]: string } = {
  E404: 'the registry has no such package, or does not show it to you',
  ETARGET: 'the registry has no such version of it, or of a package that it needs',
  E401: 'the registry wants you to log in: npm login',
  E403: 'the registry refuses it',
  EINTEGRITY: 'what arrived is not what the registry promised',
  ENOTFOUND: 'the registry cannot be reached. Check the network, and "npm config get registry"',
  ECONNREFUSED: 'the registry cannot be reached. Check the network, and "npm config get registry"',
  EAI_AGAIN: 'the registry cannot be reached. Check the network, and "npm config get registry"',
  ETIMEDOUT: 'the registry did not answer in time. Try again later',
  ERR_SOCKET_TIMEOUT: 'the registry did not answer in time. Try again later',
  ECONNRESET: 'the registry ended the connection too early. Try again later',
  ERESOLVE: 'the packages that it needs do not go together',
  EBADPLATFORM: 'it, or a package that it needs, does not run on this system',
  EBADENGINE: 'it, or a package that it needs, does not run on this version of Node',
  ENOSPC: 'the disk is full',
}
const MOST_LINES = 4
const LONGEST_LINE = 200

/** The error for a failed installation, from what npm printed. */
export function npmFault(spec: string, printed: string): HostError {
  const lines = printed
    .split('\n')
    .flatMap((line) => /^npm (?:error|ERR!) (.*)$/.exec(line)?.[1] ?? [])
  const code = lines.flatMap((line) => /^code (\w+)$/.exec(line)?.[1] ?? [])[0] ?? ''
  const said = lines
    .filter((line) => line.trim() !== '' && !/^code |complete log of this run/.test(line))
    .slice(0, MOST_LINES)
    .map((line) => line.slice(0, LONGEST_LINE))
    .join(' ')
  const reason = missingIn(said) ?? REASONS[code] ?? `npm says: ${said || 'nothing'}`
  return new HostError(
    'PACKAGE_INSTALL_FAILED',
    `"${spec}" could not be installed${code === '' ? '' : ` (${code})`}: ${reason}. Nothing was changed.`,
  )
}

/** Names the package of which npm found no version: it may be one that the plugin needs. */
function missingIn(said: string): string | undefined {
  const [, missing = ''] = /No matching version found for (\S+)\. /.exec(`${said} `) ?? []
  if (missing === '') return undefined
  const isOwn = /^(?:braidwork|@braidwork\/[\w-]+)@/.test(missing)
  const advice = isOwn
    ? `. It is a part of Braidwork, and this is braidwork ${VERSION}: the plugin may need a newer one`
    : ''
  return `the registry has no version "${missing}"${advice}`
}
