#!/usr/bin/env node
import module from 'node:module'

module.enableCompileCache()
const { runCommand } = await import('./run.ts')

// A reader of the output, such as `head`, may close it early.
process.stdout.on('error', () => process.exit(0))
process.exitCode = await runCommand(process.argv.slice(2), process.env)
