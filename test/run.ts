import { spawn } from 'node:child_process'
import { makeTemplate, TEMPLATE } from './support/database.ts'

/**
 * `node test/run.ts [files or options of node --test…]`: runs the tests, all when no file is named, against one database server.
 * With MILLRACE_TEST_DATABASE (a URL) that is an existing one. The exit code is that of `node --test`; a signal ends the run and leaves nothing behind.
 */
async function main(given: readonly string[]): Promise<number> {
  const files = given.some(argument => !argument.startsWith('-')) ? [] : ['test/**/*.test.ts']
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
  const template = await makeTemplate()
  try {
    if (signalled !== 0) return signalled
    // A test that hangs is told of instead of holding up the run.
    const options = ['--test', '--test-concurrency=2', '--test-reporter=spec', '--test-timeout=240000']
    const runner = spawn(process.execPath, [...options, ...given, ...files], {
      stdio: 'inherit',
      env: { ...process.env, [TEMPLATE]: template.url },
    })
    stop.signal.addEventListener('abort', () => runner.kill('SIGTERM'))
    const code = await new Promise<number>((done, fail) => {
      runner.once('error', fail)
      runner.once('exit', exitCode => done(exitCode ?? 1))
    })
    return signalled === 0 ? code : signalled
  } finally {
    await template.close()
  }
}

process.exitCode = await main(process.argv.slice(2))
