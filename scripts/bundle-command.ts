/**
 * The last part of the build: the command's modules in a few files. Node takes about a millisecond to find
 * and link each module, and the command has a hundred; the library stays as `tsc` wrote it.
 */
import { rm } from 'node:fs/promises'
import { build } from 'esbuild'

const outdir = 'dist/command'
await rm(outdir, { recursive: true, force: true })
await build({
  entryPoints: ['dist/cli/braidwork.js'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
