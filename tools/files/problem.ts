/** A reason why a call cannot be executed. The model reads the message. */
export class Problem extends Error {
  override readonly name = 'Problem'
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'does not exist; "list_files" lists existing files',
  EACCES: 'cannot be accessed: permission denied',
  EPERM: 'cannot be accessed: permission denied',
  ELOOP: 'is a link, and links are not followed',
  EMLINK: 'is a link, and links are not followed',
  ENOTDIR: 'is not a folder, or is a link; links are not followed',
  EISDIR: 'is a folder',
  ENXIO: 'is not a regular file',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'cannot be written: the disk is full',
  EROFS: 'cannot be written: the disk is read-only',
  EEXIST: 'already exists and is something else',
}

/** Converts a file system error to a problem with the path. Other errors are returned unchanged. */
export function problemWith(path: string, thrown: unknown): unknown {
  if (thrown instanceof Problem) return thrown
  const code = (thrown as { readonly code?: unknown } | null)?.code
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return thrown
  return new Problem(`"${path}" ${REASONS[code] ?? `cannot be used (${code})`}.`)
}
