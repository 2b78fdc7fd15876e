#!/usr/bin/env node
/// <reference types="node" />
// Runs the interpreter of the plugin in the working directory. npm links this file before the package is built.
import { join } from 'node:path'
import { runPluginPython } from '@braidwork/python/internal'

const kit = join(import.meta.dirname, '..', 'kit')
try {
  process.exitCode = await runPluginPython(process.argv.slice(2), { kit, folder: process.cwd() })
} catch (error) {
  if (error?.name !== 'HostError') throw error
  process.stderr.write(`error ${error.code}: ${error.message}\n`)
  process.exitCode = 1
}
