import { parseArgs } from 'node:util'
import { t } from 'tap'
import { buildTap, stripTypes } from './runner/build.ts'
import { findTestFiles } from './runner/files.ts'
import { count, describeFailures, describeFile, hasFailed, summarise } from './runner/report.ts'
import { runFile, type FileOptions, type FileResult } from './runner/run_file.ts'
import { createTemplate, TEMPLATE } from './support/database.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** With more failed files than this the change is at fault, not the machine. */
const RETRIED_FILES = 5

interface Run {
  readonly results: FileResult[]
  /** The first results of the files that failed and then passed. */
  readonly flaky: FileResult[]
}

/**
 * Runs the files, `jobs` at a time, and reports each when it has ended. Then the failed ones run
 * alone up to `retries` more times; their last result counts.
 */
async function runFiles(files: readonly string[], retries: number, options: FileOptions): Promise<Run> {
  const results: FileResult[] = []
  const flaky: FileResult[] = []
  const left = [...files]
  async function work(): Promise<void> {
    for (let file = left.shift(); file !== undefined && !options.stop.aborted; file = left.shift()) {
      const result = await runFile(file, options)
      results.push(result)
      print(describeFile(result))
    }
  }
  await Promise.all(Array.from({ length: t.jobs }, work))
  const failed = results.filter(hasFailed)
  for (const first of failed.length > RETRIED_FILES ? [] : failed) {
    for (let attempt = 1; attempt <= retries && !options.stop.aborted; attempt += 1) {
      print(`Again, alone: ${first.file}`)
      const again = await runFile(first.file, options)
      print(describeFile(again))
      results[results.findIndex(({ file }) => file === first.file)] = again
      if (hasFailed(again)) continue
      flaky.push(first)
      break
    }
  }
  // It sets the exit code, which must happen before this file does.
  t.end()
  return { results, flaky }
}

const OPTIONS = {
  jobs: { type: 'string', short: 'j', default: '2' },
  timeout: { type: 'string', default: '240' },
  retries: { type: 'string', default: '0' },
  grep: { type: 'string', short: 'g', multiple: true },
} as const

/**
 * `node test/run.ts [files or folders] [--jobs=2] [--timeout=240] [--retries=0] [--grep=name…]`
 * runs the tests, all without a name, against one database server. With MILLRACE_TEST_DATABASE (a
 * URL) that is an existing one. A file may take `timeout` seconds; one that fails runs again,
 * alone, up to `retries` times, and is reported as flaky when it passes then; of tests whose names
 * match `grep` only those run (a second one is for tests in them). The last line says how many
 * passed and failed; a signal ends the run and leaves nothing behind.
 */
async function main(given: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: given, options: OPTIONS, allowPositionals: true })
  const files = findTestFiles(positionals.length > 0 ? positionals : ['test'])
  // tap runs the files and prints nothing: the report is written here, for each file as it ends.
  // The run has no time limit.
  t.jobs = Math.max(1, Number(values.jobs) || 1)
  t.setTimeout(0)
  t.register()
  t.resume()
  const stop = new AbortController()
  let signalled = 0
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      signalled = code
      stop.abort()
    })
  }
  await Promise.all([buildTap(), stripTypes()])
  const template = await createTemplate()
  try {
    if (signalled !== 0) return signalled
    const env = { [TEMPLATE]: template.url, ...(values.grep && { TAP_GREP: values.grep.join('\n') }) }
    const options = { timeoutMs: Number(values.timeout) * 1000, env, stop: stop.signal }
    const { results, flaky } = await runFiles(files, Number(values.retries), options)
    if (signalled !== 0) return signalled
    const unsteady = flaky.flatMap(describeFailures)
    if (unsteady.length > 0) print(`\nFlaky, failed once and passed when run again:\n\n${unsteady.join('\n\n')}\n`)
    const failures = results.flatMap(describeFailures)
    if (failures.length > 0) print(`\nFailed:\n\n${failures.join('\n\n')}\n`)
    const counts = count(results)
    print(summarise(counts))
    return counts.failed === 0 ? 0 : 1
  } finally {
    await template.close()
  }
}

process.exitCode = await main(process.argv.slice(2))
