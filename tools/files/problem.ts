/** What keeps a call from being done, in words that the model can act on. */
export class Problem extends Error {
  override readonly name = 'Problem'
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'does not exist; "list_files" shows what does',
  EACCES: 'may not be read or written by this program',
  EPERM: 'may not be read or written by this program',
  ELOOP: 'is a link, and links are not followed',
  EMLINK: 'is a link, and links are not followed',
  ENOTDIR: 'is no folder, or a link, and links are not followed',
  EISDIR: 'is a folder',
  ENXIO: 'is no regular file',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'cannot be written: the disk is full',
  EROFS: 'cannot be written: the disk is read-only',
  EEXIST: 'exists already as something else',
}

/** Any thrown value as a problem with a path; what is no fault of the file system stays what it is. */
export function problemWith(path: string, thrown: unknown): unknown {
  if (thrown instanceof Problem) return thrown
  const code = (thrown as { readonly code?: unknown } | null)?.code
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return thrown
  return new Problem(`"${path}" ${REASONS[code] ?? `cannot be used (${code})`}.`)
}
