import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { OpenFolder } from './folder.ts'
import { folded, isMeant } from './patterns.ts'
import { Problem } from './problem.ts'

/** The protected files of the folder, and the exceptions. */
export interface Protection {
  readonly allow_read: readonly string[]
  readonly allow_write: readonly string[]
  /** Additional patterns of files that can be neither read nor written. */
  readonly protect: readonly string[]
  /** Real paths of the files that the host obeys. One that ends with a separator stands for all files of that folder. */
  readonly deciding: readonly string[]
}

/** Names of folders in which programs store keys and passwords. */
const SECRET_FOLDERS = new Set(
  '.ssh .aws .azure .gnupg .kube .docker .gcloud gcloud .password-store .terraform.d'.split(' '),
)

/** Name patterns of files in which programs store keys and passwords. */
const SECRETS = [
  '.env',
  '.env.*',
  '.env-*',
  '.env_*',
  '.envrc',
  '*.env',
  ...'id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_xmss'.split(' '),
  ...'*.pem *.key *.p8 *.p12 *.pfx *.pkcs12 *.ppk *.jks *.keystore *.kdb *.kdbx *.tfstate *.ovpn'.split(
    ' ',
  ),
  ...'.npmrc .yarnrc .yarnrc.yml .netrc _netrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd'.split(
    ' ',
  ),
  ...'.dockercfg .dockerconfigjson .s3cfg .boto .vault-token *_history kubeconfig credentials'.split(
    ' ',
  ),
  ...'credentials.json credentials.toml client_secret*.json service-account*.json service_account*.json'.split(
    ' ',
  ),
  ...'secrets.json secrets.yml secrets.yaml secrets.toml *.keychain *.keychain-db'.split(' '),
  // The tokens and keys of a server and its providers may be written into its config.
  ...'braidwork.json braidwork.jsonc'.split(' '),
]

/** Files whose names are common, and which have keys only in these folders. */
const SECRETS_IN = [
  '.git/**/config',
  '.git/**/config.worktree',
  'gh/hosts.yml',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
].map((path) => `**/${path}`)

/** Matches the suffixes of backup copies. */
const COPY = /(?:~|\.(?:bak|backup|old|orig|save|copy|tmp|swp|swo|\d+))$/

/** Folders with installed or compiled code, which programs load automatically. */
const CODE_FOLDERS = new Set(['node_modules', '__pycache__', 'site-packages'])

/** Files that the host runs by but in which nobody writes keys: modules and manifests. */
const WITHOUT_KEYS = /\.(?:[cm]?[jt]sx?|node|wasm|py|pyd|so)$|^(?:package\.json|pyproject\.toml)$/i

/**
 * Files that programs obey or execute because of their names: configs and manifests of Braidwork and other tools, and
 * instructions for their models.
 */
const OBEYED = [
  ...'braidwork.json braidwork.jsonc package.json package-lock.json npm-shrinkwrap.json'.split(' '),
  ...'yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb bunfig.toml'.split(' '),
  ...'deno.json deno.jsonc deno.lock jsr.json tsconfig.json tsconfig.*.json'.split(' '),
  ...'pyproject.toml setup.py setup.cfg requirements*.txt pipfile pipfile.lock poetry.lock'.split(
    ' ',
  ),
  ...'uv.lock uv.toml tox.ini pytest.ini noxfile.py conftest.py sitecustomize.py'.split(' '),
  ...'usercustomize.py pyvenv.cfg binding.gyp *.gypi *.pth cargo.toml cargo.lock build.rs go.mod go.sum go.work'.split(
    ' ',
  ),
  ...'gemfile gemfile.lock rakefile *.gemspec composer.json composer.lock pom.xml'.split(' '),
  ...'*.gradle *.gradle.kts gradle.properties makefile gnumakefile *.mk cmakelists.txt'.split(' '),
  ...'justfile taskfile.yml taskfile.yaml gruntfile.* gulpfile.* *.config.js *.config.cjs'.split(
    ' ',
  ),
  ...'*.config.mjs *.config.ts *.config.cts *.config.mts *.code-workspace dockerfile'.split(' '),
  ...'docker-compose*.y*ml compose.y*ml jenkinsfile vagrantfile procfile'.split(' '),
  ...'agents.md agents.override.md claude.md claude.local.md gemini.md skill.md'.split(' '),
  // "HEAD" marks a folder as a git repository.
  'head',
]

/** @throws {Problem} if a file may contain secrets and no setting allows reading it */
export function assertReadable(names: readonly string[], protection: Protection): void {
  if (!isReadable(names, protection)) throw notRead(names)
}

/** @throws {Problem} if the file is a config that the host uses, or an agent beside it, and no setting allows reading it */
export async function assertNotConfig(
  folder: OpenFolder,
  names: readonly string[],
  protection: Protection,
): Promise<void> {
  if (await isConfig(folder, names, protection)) throw notRead(names)
}

/** Whether the file is a config that the host uses, or an agent beside it, and no setting allows reading it. */
export async function isConfig(
  folder: OpenFolder,
  names: readonly string[],
  { deciding, allow_read }: Protection,
): Promise<boolean> {
  const name = names.at(-1) ?? ''
  if (WITHOUT_KEYS.test(name) || isListed(names, allow_read)) return false
  return isDeciding(folder.path, [name], deciding)
}

function notRead(names: readonly string[]): Problem {
  return new Problem(
    `"${names.join('/')}" may contain keys or passwords, so it is not read. The user can allow it with "settings.files.allow_read".`,
  )
}

export function isReadable(names: readonly string[], { allow_read, protect }: Protection): boolean {
  if (isListed(names, protect)) return false
  return !isSecret(names) || isListed(names, allow_read)
}

/** @throws {Problem} if other programs or the host obey or execute the file, and no setting allows writing it */
export function assertWritable(names: readonly string[], protection: Protection): void {
  const { allow_write, protect } = protection
  const isKept = isListed(names, protect) || !(isFree(names) || isListed(names, allow_write))
  if (isKept) throw notWritten(names)
}

/** @throws {Problem} if the host obeys the file, also if a link or another spelling leads to it */
export async function assertNotDeciding(
  folder: OpenFolder,
  names: readonly string[],
  { deciding, allow_write }: Protection,
): Promise<void> {
  if (isListed(names, allow_write)) return
  if (await isDeciding(folder.path, names.slice(-1), deciding)) throw notWritten(names)
}

/** The same by the path alone, before any folder of it is made. @throws {Problem} */
export async function assertNotDecidingAt(
  root: string,
  names: readonly string[],
  { deciding, allow_write }: Protection,
): Promise<void> {
  if (isListed(names, allow_write)) return
  if (await isDeciding(root, names, deciding)) throw notWritten(names)
}

async function isDeciding(
  folder: string,
  names: readonly string[],
  deciding: readonly string[],
): Promise<boolean> {
  if (deciding.length === 0) return false
  // A root that does not exist is told of when it is opened.
  const own = pathKey(join(await realpath(folder).catch(() => folder), ...names))
  return deciding
    .map(pathKey)
    .some((path) => (path.endsWith(sep) ? own.startsWith(path) : own === path))
}

function notWritten(names: readonly string[]): Problem {
  return new Problem(
    `"${names.join('/')}" is a file that programs obey or execute, so it is not written. The user can allow it with "settings.files.allow_write".`,
  )
}

function isListed(names: readonly string[], patterns: readonly string[]): boolean {
  return patterns.some((pattern) => isMeant(names, pattern))
}

function isSecret(names: readonly string[]): boolean {
  const all = names.map(folded)
  if (all.slice(0, -1).some((name) => SECRET_FOLDERS.has(name))) return true
  const folders = all.slice(0, -1)
  return formsOf(all.at(-1) ?? '').some(
    (form) =>
      SECRETS.some((pattern) => isMeant([form], pattern)) ||
      SECRETS_IN.some((pattern) => isMeant([...folders, form], pattern)),
  )
}

/** A name, the name without backup suffixes, and the name without an editor's lock-file markers. */
function formsOf(name: string): readonly string[] {
  const forms = [name]
  for (let form = name; COPY.test(form); ) {
    form = form.replace(COPY, '')
    forms.push(form, form.replace(/^\./, ''))
  }
  return forms
}

/** Whether a path may be written. Names that begin with a dot belong to programs. */
function isFree(names: readonly string[]): boolean {
  const all = names.map(folded)
  const isInner = all.some((name) => name.startsWith('.') || CODE_FOLDERS.has(name))
  // A short name of Windows may stand for any long name.
  const isShort = process.platform === 'win32' && all.some((name) => /~\d/.test(name))
  const isObeyed = OBEYED.some((pattern) => isMeant(names.slice(-1), pattern))
  return !(isInner || isShort || isObeyed || isSecret(names))
}

function pathKey(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
