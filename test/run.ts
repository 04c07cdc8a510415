import { parseArgs } from 'node:util'
import { t } from 'tap'
import { buildTap, stripTypes } from './runner/build.ts'
import { findTestFiles } from './runner/files.ts'
import { count, describeFailures, describeFile, summarise } from './runner/report.ts'
import { runFile, type FileOptions, type FileResult } from './runner/run_file.ts'
import { createTemplate, TEMPLATE } from './support/database.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Runs the files, `jobs` at a time, and reports each when it has ended. */
async function runFiles(files: readonly string[], options: FileOptions): Promise<FileResult[]> {
  const results: FileResult[] = []
  const left = [...files]
  async function work(): Promise<void> {
    for (let file = left.shift(); file !== undefined && !options.stop.aborted; file = left.shift()) {
      const result = await runFile(file, options)
      results.push(result)
      print(describeFile(result))
    }
  }
  await Promise.all(Array.from({ length: t.jobs }, work))
  // It sets the exit code, which must happen before this file does.
  t.end()
  return results
}

const OPTIONS = {
  jobs: { type: 'string', short: 'j', default: '2' },
  timeout: { type: 'string', default: '240' },
  grep: { type: 'string', short: 'g', multiple: true },
} as const

/**
 * `node test/run.ts [files or folders] [--jobs=2] [--timeout=240] [--grep=name…]` runs the tests,
 * all without a name, against one database server. With MILLRACE_TEST_DATABASE (a URL) that is an
 * existing one. A file may take `timeout` seconds; of tests whose names match `grep` only those run
 * (a second one is for tests in them). The last line says how many passed and failed; a signal ends
 * the run and leaves nothing behind.
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
    const results = await runFiles(files, options)
    if (signalled !== 0) return signalled
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
