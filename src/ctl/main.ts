#!/usr/bin/env node
import module from 'node:module'

module.enableCompileCache()
const { runCommand } = await import('./run.ts')

process.exitCode = await runCommand(process.argv.slice(2), process.env)
