import assert from 'node:assert/strict'
import type { Command } from 'commander'
import { test } from 'tap'
import { openCliContext } from '../../src/cli/cli_context.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { createCommandLine, type CommandLine } from './command.ts'

const readJson = async (ctl: CommandLine, ...given: string[]): Promise<unknown> => JSON.parse(await ctl.ok(...given))

test('accounts list and show print the state and role of accounts', async t => {
  const ctl = await createCommandLine(t)
  const create = (name: string, ...more: string[]): Promise<string> =>
    ctl.ok('accounts', 'create', name, '--email', `${name}@example.com`, '--password', 'long enough', ...more)
  await create('ada', '--confirmed', '--role', 'Owner')
  await create('bob', '--confirmed')
  await create('carol')
  await ctl.ok('settings', 'registrations', 'approved')
  await create('dave', '--confirmed')
  await ctl.ok('accounts', 'suspend', 'bob')
  await ctl.sql(
    `insert into sessions (session_hash, user_id, ip, created_at)
     select '\\x01', u.id, '192.0.2.7', '2026-03-04 05:06:07Z' from users u where u.email = 'ada@example.com'`,
  )

  const text = await ctl.ok('accounts', 'list')
  assert.match(text, /^NAME +STATE +ROLE +E-MAIL +CREATED \(UTC\) +LAST SIGN-IN \(UTC\) +ADDRESS +STATUSES\n/)
  assert.match(text, /^ada +active +Owner +ada@example\.com +\S+ \S+ +2026-03-04 05:06 +192\.0\.2\.7 +0$/m)
  const states = (await readJson(ctl, 'accounts', 'list', '--json')) as Record<string, string>[]
  assert.deepEqual(
    states.map(({ name, state }) => [name, state]),
    [
      ['dave', 'pending'],
      ['carol', 'unconfirmed'],
      ['bob', 'suspended'],
      ['ada', 'active'],
    ],
  )
  const names = async (...more: string[]): Promise<unknown> =>
    ((await readJson(ctl, 'accounts', 'list', '--json', ...more)) as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(await names('--state', 'pending'), ['dave'])
  assert.deepEqual(await names('--role', 'Owner'), ['ada'])
  assert.deepEqual(await names('-n', '2'), ['dave', 'carol'])
  assert.deepEqual(await names('--state', 'active', '--all'), ['ada'])
  const wrong = await ctl.run('accounts', 'list', '--state', 'happy')
  assert.deepEqual(
    [wrong.code, wrong.err],
    [1, 'State must be one of suspended, disabled, unconfirmed, pending, active, without_user\n'],
  )

  const shown = await ctl.ok('accounts', 'show', '@ADA')
  assert.match(shown, /^Name: +ada\n/)
  assert.match(shown, /^E-mail: +ada@example\.com$/m)
  assert.match(shown, /^Last sign-in \(UTC\): *2026-03-04 05:06$/m)
  assert.match(shown, /^Second factor: +off$/m)
  const one = (await readJson(ctl, 'accounts', 'show', 'ada', '--json')) as Record<string, unknown>
  assert.deepEqual([one['username'], one['last_ip'], one['statuses']], ['ada', '192.0.2.7', 0])
  assert.deepEqual(await ctl.run('accounts', 'show', 'nobody'), { code: 1, out: '', err: 'No such account\n' })
})

/** The names of the commands that print lists and need no argument. */
function listings(command: Command, path: readonly string[] = []): string[][] {
  const below = command.commands.flatMap(child => listings(child, [...path, child.name()]))
  const isListing = ['list', 'routes', 'config', 'usage'].includes(command.name())
  const needsNothing = command.registeredArguments.every(argument => !argument.required)
  return isListing && needsNothing ? [...below, [...path]] : below
}

test('every list command prints JSON on request', async t => {
  const ctl = await createCommandLine(t)
  const streams = { output: process.stdout, error: process.stderr }
  const commands = listings(buildProgram(openCliContext({}, streams), streams))
  assert.ok(commands.length > 15, String(commands.length))
  for (const command of commands) {
    const value: unknown = await readJson(ctl, ...command, '--json')
    assert.ok(typeof value === 'object' && value !== null, command.join(' '))
  }
  const [role] = (await readJson(ctl, 'roles', 'list', '--json')) as Record<string, string>[]
  assert.deepEqual(Object.keys(role ?? {}), ['role', 'position', 'members', 'color', 'flags', 'permissions'])
})
