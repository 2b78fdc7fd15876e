/** A program in TypeScript that imports an installed plugin. */
import type { Installed } from './samples.ts'
import type { Surroundings } from './surroundings.ts'

/** Packages that a program in TypeScript needs besides the plugin. */
export const COMPILER = ['typescript@^7.0.2', '@types/node@^20.19.0']

const RESOLUTIONS = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
]
const STRICT = {
  target: 'es2023',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
}

/**
 * The wrong kind must be refused: types that do not resolve are `any`, which allows everything. The types of the server
 * are checked where its optional packages are not installed.
 */
function program({ sample: { kind }, name }: Installed): string {
  return `import { createHost } from 'braidwork'
import plugin from 'braidwork-${name}'

export type * as server from 'braidwork/server'
export const kind: '${kind}' = plugin.kind
// @ts-expect-error
export const wrong: 'feature' = plugin.kind
const host = await createHost({ plugins: [plugin] })
console.log(host.plugins.map(({ kind, name }) => \`\${kind} \${name}\`).join())
await host.close()
`
}

/** Compiles the program with each way to resolve modules, and runs what was compiled. */
export async function checkTypes(of: Surroundings, title: string, installed: Installed) {
  const { sample, name, place, runtime } = installed
  place.write('src/program.ts', program(installed))
  for (const resolution of RESOLUTIONS) {
    const outDir = `compiled-${resolution.moduleResolution}`
    const compilerOptions = { ...STRICT, ...resolution, rootDir: 'src', outDir }
    place.write('tsconfig.json', { compilerOptions, include: ['src'] })
    const resolved = `${title}: types resolve with "${resolution.moduleResolution}"`
    await of.checks.step(`${resolved}, and the program runs`, async () => {
      await place.run(...runtime.program, 'node_modules/typescript/bin/tsc')
      const { out } = await place.run(...runtime.program, `${outDir}/program.js`)
      if (out.trim() !== `${sample.kind} ${name}`) throw new Error(`it printed "${out}"`)
      return out.trim()
    })
  }
}
