import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { get, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'
import { ROOT } from '../helpers/source-files.ts'

export const DEPLOY = join(ROOT, 'docs/deploy')
/** The host name in the examples. */
export const NAME = 'chat.example.com'
/** The addresses of the servers in the examples. */
const UPSTREAMS = ['127.0.0.1:8787', '127.0.0.1:8788'] as const

export type ProxyKind = 'nginx' | 'caddy'

/** A reverse proxy with the config of the examples, on a free port. */
export class ReverseProxy {
  readonly port: number
  readonly #child: ChildProcess

  private constructor(port: number, child: ChildProcess) {
    this.port = port
    this.#child = child
  }

  /** Why it cannot be started; nothing if it can. */
  static missing(kind: ProxyKind): string | undefined {
    const needed = kind === 'nginx' ? ['nginx', 'openssl'] : ['caddy']
    const absent = needed.find((name) => spawnSync(name, ['version']).error !== undefined)
    return absent === undefined ? undefined : `no "${absent}" is on the PATH`
  }

  static async start(
    kind: ProxyKind,
    folder: string,
    { upstreams, texts = [] }: Changed,
  ): Promise<ReverseProxy> {
    const port = await freePort()
    const begin = kind === 'nginx' ? beginNginx : beginCaddy
    const child = begin(folder, { port, redirect: await freePort(), upstreams, texts })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`${kind}: ${said}`)
      await wait(10)
    }
    return new ReverseProxy(port, child)
  }

  /** Sends a request as {@link begin}, and returns its answer. */
  ask(...asked: Parameters<ReverseProxy['begin']>): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      this.begin(...asked)
        .once('response', resolve)
        .once('error', reject)
    })
  }

  /** Sends a request for the host name of the examples; with a body, a POST. Nobody signed the certificate. */
  begin(path: string, body?: string | Buffer, headers: object = {}): ClientRequest {
    const sent = request({
      host: '127.0.0.1',
      port: this.port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      servername: NAME,
      headers: { host: `${NAME}:${this.port}`, ...headers },
      rejectUnauthorized: false,
      agent: false,
    })
    sent.end(body)
    return sent
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = once(this.#child, 'close')
    this.#child.kill('SIGTERM')
    await ended
  }
}

/** What a test has in place of texts of an example. */
interface Changed {
  /** The ports of two servers. */
  readonly upstreams: readonly [number, number]
  readonly texts?: readonly (readonly [from: string, to: string])[]
}

interface Place extends Required<Changed> {
  readonly port: number
  /** The port that nginx redirects from. */
  readonly redirect: number
}

function beginNginx(folder: string, { port, redirect, upstreams, texts }: Place): ChildProcess {
  const key = join(folder, 'key.pem')
  const certificate = join(folder, 'certificate.pem')
  const files = ['-keyout', key, '-out', certificate, '-subj', `/CN=${NAME}`]
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files])
  const site = replaced('nginx.conf', upstreams, [
    ['listen 80;', `listen 127.0.0.1:${redirect};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    [`/etc/nginx/tls/${NAME}.crt`, certificate],
    [`/etc/nginx/tls/${NAME}.key`, key],
    ...texts,
  ])
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const folders = places.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n')
  const logs = 'access_log off; error_log stderr;'
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${join(folder, 'pid')};\nevents {}\nhttp {\n${logs}\n${folders}\n${site}\n}\n`,
  )
  // The user of nginx cannot read the folder of a test.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const options = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', `daemon off; ${user}`]
  return spawn('nginx', options, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function beginCaddy(folder: string, { port, upstreams, texts }: Place): ChildProcess {
  const site = replaced('Caddyfile', upstreams, [
    [`${NAME} {`, `https://${NAME}:${port} {\n\ttls internal`],
    ['health_interval 1s', 'health_interval 200ms'],
    ...texts,
  ])
  const file = join(folder, 'Caddyfile')
  const global = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n'
  writeFileSync(file, `${global}${site}`)
  const own = join(folder, 'caddy')
  mkdirSync(own)
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own },
  })
}

/** An example with other texts in place of those that only the operator's machine has. */
function replaced(
  name: string,
  upstreams: readonly [number, number],
  texts: readonly (readonly [from: string, to: string])[],
): string {
  const all = [
    ...texts,
    ...UPSTREAMS.map((from, i) => [from, `127.0.0.1:${upstreams[i]}`] as const),
  ]
  return all.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${name} does not contain "${from}"`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(DEPLOY, name), 'utf8'),
  )
}

/** Whether a server behind the proxy answers: until then the proxy may lack its certificate. */
function answers(port: number): Promise<boolean> {
  const options = { host: '127.0.0.1', port, path: '/healthz', servername: NAME, agent: false }
  return new Promise((resolve) => {
    const headers = { host: NAME }
    const asked = get({ ...options, headers, rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.once('error', () => resolve(false))
  })
}

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += String(piece)
  return text
}
