import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory with little room. */
export class SmallDisk {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Nothing where this process may not mount one. */
  static mount(kibibytes: number): SmallDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'braidwork-small-'))
    const options = ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder]
    if (spawnSync('mount', options).status === 0) return new SmallDisk(folder)
    rmSync(folder, { recursive: true })
    return undefined
  }

  /** Takes the room that is left, but for so many kibibytes. */
  fill(left = 0): void {
    const path = join(this.folder, 'filler')
    const file = openSync(path, 'a')
    try {
      for (;;) writeSync(file, Buffer.alloc(4096))
    } catch {
      closeSync(file)
    }
    truncateSync(path, Math.max(0, statSync(path).size - left * 1024))
  }

  /** Gives it back. */
  free(): void {
    rmSync(join(this.folder, 'filler'), { force: true })
  }

  unmount(): void {
    spawnSync('umount', ['-l', this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }
}
