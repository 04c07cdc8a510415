import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test, type Test } from 'tap'
import { startProxy } from '../support/tcp_proxy.ts'
import { Inbox } from '../support/inbox.ts'
import { people, type Person } from '../support/people.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SERVER = 'wss://example.com/'
const NO_ID = "let last = ''"

/** The unchanged program in the section of OPERATING.md about streams. */
function readProgram(): string {
  const document = readFileSync(new URL('../../OPERATING.md', import.meta.url), 'utf8')
  const section = document.split('\n## ').find(one => one.startsWith('Streams that resume'))
  const program = /```js\n([^]*?)```/.exec(section ?? '')?.[1]
  assert.ok(program !== undefined && program.includes(SERVER) && program.includes(NO_ID), program)
  return program
}

/**
 * Runs the program with the test's server and start id; returns its output lines. Ended with the
 * test.
 */
function runProgram(t: Test, reader: Person, url: string, last = ''): Inbox<string> {
  const program = readProgram()
    .replace(SERVER, `${url.replace(/^http/, 'ws')}/`)
    .replace(NO_ID, `let last = '${last}'`)
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    env: { TOKEN: reader.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill())
  const printed = new Inbox<string>(line => line.slice(0, 60))
  let errors = ''
  child.stderr.on('data', text => (errors += String(text)))
  child.once('exit', () => printed.fail(errors))
  createInterface(child.stdout).on('line', line => printed.push(line))
  return printed
}

const namesStatus = (id: string) => (line: string) => line.startsWith(`update {"id":"${id}"`)

/** Posts until the program has printed a status: it prints nothing when it connects. */
async function sayUntilPrinted(author: Person, printed: Inbox<string>): Promise<void> {
  const until = Date.now() + 30_000
  let last = ''
  while (printed.messages.length === 0) {
    assert.ok(Date.now() < until, 'nothing was printed')
    last = (await author.postStatus('hello?')).id
  }
  await printed.takeUntil('the last of them', namesStatus(last))
}

test('the example program in OPERATING.md resumes after a disconnection', async t => {
  assert.ok(readProgram().trim().split('\n').length <= 24, 'it is to be short')
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const cable = await startProxy(t, server.url)
  const printed = runProgram(t, alice, cable.url)
  await sayUntilPrinted(bob, printed)
  for (let round = 0; round < 2; round += 1) {
    cable.cut()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push((await bob.postStatus(`missed ${count}`)).id)
    const lines = await printed.takeUntil('the last', namesStatus(ids.at(-1) ?? ''))
    assert.equal(lines.length, ids.length, lines.join('\n'))
    for (const [at, id] of ids.entries()) assert.ok(namesStatus(id)(lines[at] ?? ''), lines[at])
  }
})

test('the example program reports an expired position and continues', async t => {
  const { alice, server } = await people(t, 'alice')
  const printed = runProgram(t, alice, server.url, '1-1')
  await printed.take('the advice', line => line === 'away for too long: fetch the timeline by REST')
  await sayUntilPrinted(alice, printed)
})
