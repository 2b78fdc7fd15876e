/** Prints what Braidwork itself costs, as rows of a table: medians in milliseconds. */
import { firstToken } from './first-token.ts'
import { resolution } from './resolution.ts'

console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}\n`)
console.log('| median | ms |\n| --- | --- |')
for (const measure of [resolution, firstToken]) {
  for (const [what, milliseconds] of await measure()) {
    console.log(`| ${what} | ${milliseconds.toFixed(milliseconds < 10 ? 3 : 0)} |`)
  }
}
