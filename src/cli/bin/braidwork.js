#!/usr/bin/env node
// npm links this file before the command is built.
import '../dist/command/braidwork.js'
