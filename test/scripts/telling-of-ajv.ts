/** A module that has Node say that it loads ajv. */
const TELL_OF_AJV = `
import { register } from 'node:module'
const hook = \`export function resolve(name, context, next) {
  if (name.startsWith('ajv')) process._rawDebug('loaded ajv')
  return next(name, context)
}\`
register('data:text/javascript,' + encodeURIComponent(hook))`

/** Variables with which a process of Node prints a line on its standard error stream when it loads ajv. */
export const TELLING_OF_AJV = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(TELL_OF_AJV)}`,
}
