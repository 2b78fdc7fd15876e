import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { HostError, isObject } from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { filledText } from '../env-references.ts'
import { EXIT } from '../exit.ts'
import { openHost } from '../open-host.ts'
import { type ConfigOptions, loadConfig } from '../options.ts'
import { stopSignal } from '../stop-signal.ts'

const PACKAGE = '@braidwork/tool-mcp'

/** The part of the package that logs in. The command finds the package as it finds plugins. */
interface LoginModule {
  readonly login: (options: {
    readonly url: string
    readonly allowPrivate: boolean
    readonly client?: Client
    readonly open: (page: URL) => void
    readonly signal: AbortSignal
  }) => Promise<void>
}

/** A client that was registered by hand. */
interface Client {
  readonly client_id: string
  readonly client_secret?: string
}

/** `braidwork mcp login`: logs in at a server over HTTP. The tokens are kept outside of the config. */
export async function mcpLoginCommand(name: string, options: ConfigOptions): Promise<number> {
  const server = serverNamed(name, options)
  const { login } = await loginModule(options)
  const cancel = new AbortController()
  const { signal } = cancel
  void stopSignal().then(() => cancel.abort(new Error('stopped')))
  const open = (page: URL) =>
    process.stdout.write(`Open this page in a browser, and agree there:\n${visible(page.href)}\n`)
  try {
    await login({ ...server, open, signal })
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`error ${visible(name)}: no login: ${visible(reason)}\n`)
    return EXIT.failed
  }
  process.stdout.write(`Logged in at "${visible(name)}".\n`)
  return EXIT.ok
}

function serverNamed(name: string, options: ConfigOptions) {
  const { servers = {}, project_servers = {} } = loadConfig(options).config.settings?.['mcp'] ?? {}
  const all = { ...(project_servers as object), ...(servers as object) } as {
    readonly [name: string]: unknown
  }
  const server = Object.hasOwn(all, name) ? all[name] : undefined
  const url = isObject(server) ? server['url'] : undefined
  if (!isObject(server) || typeof url !== 'string') {
    const known = Object.keys(all).join(', ') || 'none'
    const reason = isObject(server) ? 'has no "url"' : 'is not in the config'
    throw new HostError(
      'CONFIG_INVALID',
      `The MCP server "${name}" ${reason}. Servers in the config: ${known}.`,
    )
  }
  const { allow_private: allowPrivate, oauth } = server
  const client = isObject(oauth) ? { client: clientOf(oauth) } : {}
  return { url: filledText(url), allowPrivate: allowPrivate === true, ...client }
}

function clientOf({
  client_id: id,
  client_secret: secret,
}: {
  readonly [key: string]: unknown
}): Client {
  return {
    client_id: filledText(String(id)),
    ...(typeof secret === 'string' ? { client_secret: filledText(secret) } : {}),
  }
}

async function loginModule(options: ConfigOptions): Promise<LoginModule> {
  const { host, entries } = await openHost(options)
  await host.close()
  for (const entry of entries) {
    const path = ownDoor(entry)
    if (path !== undefined) return (await import(pathToFileURL(path).href)) as LoginModule
  }
  throw new HostError('PLUGIN_NOT_FOUND', `The plugin "mcp" is not there. Install ${PACKAGE}.`)
}

/** The door of the package for logins, if a module is the plugin of that package. */
function ownDoor(entry: string): string | undefined {
  const require = createRequire(entry)
  try {
    return require.resolve(PACKAGE) === entry ? require.resolve(`${PACKAGE}/login`) : undefined
  } catch {
    // The module belongs to another package.
    return undefined
  }
}
