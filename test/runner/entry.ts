import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Writable } from 'node:stream'
import { t } from 'tap'
// As a server is started: without it each of some hundred processes would strip the types of all the source.
import '../../src/app/type_stripping/load.js'

/* What a process of test/run.ts begins with: keeps standard output for the report, then runs the test file of its first argument. */

const report = process.stdout.write.bind(process.stdout)

/** What tests and servers print goes to standard error: a line of a log that begins like one of the report would be read as such. */
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

// As if Node had been given the file.
process.argv.splice(1, 1)
await import(pathToFileURL(path.resolve(process.argv[1] ?? '')).href)
