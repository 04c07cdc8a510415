import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Writable } from 'node:stream'
import { t } from 'tap'

/*
 * The entry of a process of test/run.ts: reserves standard output for the report, then runs the
 * test file of its first argument.
 */

const report = process.stdout.write.bind(process.stdout)

/**
 * Output of tests and servers goes to standard error: a log line that resembles a line of the
 * report would be parsed as one.
 */
process.stdout.write = process.stderr.write.bind(process.stderr)

t.pipe(
  new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      report(text)
      done()
    },
  }),
)
t.register()

// As if Node had started the file.
process.argv.splice(1, 1)
await import(pathToFileURL(path.resolve(process.argv[1] ?? '')).href)
