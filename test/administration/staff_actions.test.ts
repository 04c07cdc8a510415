import assert from 'node:assert/strict'
import type { Command } from 'commander'
import { test } from 'tap'
import { operations } from '../../src/app/operations.ts'
import { openCliContext } from '../../src/cli/cli_context.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { OPERATION_COMMANDS, READING_COMMANDS, STAFF_ACTIONS } from './staff_actions.ts'

const WAYS = ['api', 'page', 'ctl'] as const

const requestOf = (call: string | readonly [string, ...unknown[]]): string =>
  typeof call === 'string' ? call : call[0]

/** The operations that are no reads, below a path. */
const written = (...starts: string[]): string[] =>
  operations.flatMap(({ method, path }) =>
    [path]
      .flat()
      .filter(one => starts.some(start => one.startsWith(start)))
      .flatMap(one =>
        [method]
          .flat()
          .filter(verb => verb !== 'GET')
          .map(verb => `${verb} ${one}`),
      ),
  )

function commandsOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')]
  return command.commands.flatMap(child => commandsOf(child, [...path, child.name()]))
}

const streams = { output: process.stdout, error: process.stderr }
const commands = commandsOf(buildProgram(openCliContext({}, streams), streams))

/** The command of a line with arguments. */
const commandOf = (line: string): string =>
  commands.filter(name => line === name || line.startsWith(`${name} `)).sort((a, b) => b.length - a.length)[0] ?? line

test('each action of the staff is possible by the API, on a page and by a command, or the reason is documented', async () => {
  const faults = STAFF_ACTIONS.flatMap(action =>
    WAYS.filter(way => (action[way] === undefined) === (action.because?.[way] === undefined)).map(
      way => `${action.does}: ${way}`,
    ),
  )
  assert.deepEqual(faults, [])
  const unlogged = STAFF_ACTIONS.filter(
    ({ logs, make, because }) =>
      (logs === undefined) === (because?.logs === undefined) ||
      (logs !== undefined && make === undefined && because?.unwalked === undefined),
  )
  assert.deepEqual(unlogged, [])
})

const listed = (way: 'api' | 'page'): string[] => STAFF_ACTIONS.flatMap(action => action[way]?.map(requestOf) ?? [])

test('each operation of the admin API and each form of the pages is an action of the list', async () => {
  for (const [way, ...starts] of [
    ['api', '/api/v1/admin/', '/api/v2/admin/'],
    ['page', '/admin/'],
  ] as const) {
    const there = new Set(written(...starts))
    const named = new Set(listed(way))
    assert.ok(there.size > 30)
    assert.deepEqual(
      [...there].filter(one => !named.has(one)),
      [],
      'forms that are in no list',
    )
    assert.deepEqual(
      [...named].filter(one => !there.has(one)),
      [],
      'forms that do not exist',
    )
  }
})

test('each command is an action of the list, only reads, or is about running the server', async () => {
  const named = new Set(STAFF_ACTIONS.flatMap(({ ctl = [] }) => ctl.map(commandOf)))
  const known = new Set([...named, ...READING_COMMANDS, ...Object.keys(OPERATION_COMMANDS)])
  assert.deepEqual(
    commands.filter(name => !known.has(name)),
    [],
    'commands that are in no list',
  )
  assert.deepEqual(
    [...named, ...READING_COMMANDS, ...Object.keys(OPERATION_COMMANDS)].filter(name => !commands.includes(name)),
    [],
    'commands that do not exist',
  )
})
