#!/usr/bin/env node
import module from 'node:module'

module.enableCompileCache()
const { runCommand } = await import('./run.ts')

// Who reads our output may go before its end, as `head` does.
process.stdout.on('error', () => process.exit(0))
process.exitCode = await runCommand(process.argv.slice(2), process.env)
