#!/usr/bin/env node
import module from 'node:module'

module.enableCompileCache()
const { runCommand } = await import('./run.ts')

const args = process.argv.slice(2)
/** A command that writes a file to standard output fails when not all of it is taken. */
const writesFile = args.includes('backup') && args.includes('-')
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (writesFile) return
  // A reader of the output, such as `head`, may close it early.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The output cannot be written: ${error.message}\n`)
  process.exit(1)
})
process.exitCode = await runCommand(args, process.env)
