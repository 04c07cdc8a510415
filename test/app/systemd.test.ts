import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'tap'
import { createTestDatabase } from '../support/database.ts'
import { Inbox } from '../support/inbox.ts'
import { startProgram } from '../support/program.ts'

/** systemd's end of the socket: prints each datagram. Node.js has no sockets of this kind. */
const LISTENER = `
import socket, sys
end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
end.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(end.recv(4096).decode().replace('\\n', ' '), flush=True)
`

const isMissing = (program: string): boolean => spawnSync(program, ['--version']).status !== 0
const skip =
  (isMissing('systemd-notify') && 'systemd-notify is not installed') ||
  (isMissing('python3') && 'python3 is not installed, which listens in the place of systemd')

test('systemd is told that the server listens, lives and stops', { skip }, async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-notify-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const socket = path.join(folder, 'notify')
  const listener = spawn('python3', ['-c', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => listener.kill('SIGKILL'))
  const told = new Inbox<string>(text => text)
  createInterface(listener.stdout).on('line', line => told.push(line))
  await told.take('the start', line => line === 'bound')
  const { url } = await createTestDatabase(t)
  const program = await startProgram(t, {
    DATABASE_URL: url,
    DATA_DIR: folder,
    NOTIFY_SOCKET: socket,
    WATCHDOG_USEC: '300000',
  })
  await told.take('READY=1', line => line.includes('READY=1'))
  assert.equal((await fetch(`${program.url}/health`)).status, 200)
  await told.take('WATCHDOG=1', line => line.includes('WATCHDOG=1'))
  await told.take('another WATCHDOG=1', line => line.includes('WATCHDOG=1'))
  program.kill('SIGTERM')
  await told.take('STOPPING=1', line => line.includes('STOPPING=1'))
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
  assert.deepEqual(
    program.log.filter(({ msg }) => msg === 'systemd could not be notified'),
    [],
  )
})
