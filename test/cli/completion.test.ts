import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'tap'
import { openCliContext } from '../../src/cli/cli_context.ts'
import { completionScript } from '../../src/cli/completion.ts'
import { buildProgram } from '../../src/cli/program.ts'

const streams = { output: process.stdout, error: process.stderr }
const scriptFor = (shell: 'bash' | 'zsh'): string =>
  completionScript(shell, buildProgram(openCliContext({}, streams), streams))

const isMissing = (shell: string): false | string =>
  spawnSync(shell, ['--version']).status !== 0 && `${shell} is not installed`

function run(shell: string, script: string, given: readonly string[]): string[] {
  const options = { bash: ['--norc'], zsh: ['-f'] }[shell] ?? []
  const { status, stdout, stderr } = spawnSync(shell, [...options, '-c', script, shell, ...given], { encoding: 'utf8' })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  return stdout.split(/\s+/).filter(word => word !== '')
}

test('bash completes commands, options and their values', { skip: isMissing('bash') }, async () => {
  const script = `${scriptFor('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _millrace; printf '%s\\n' "\${COMPREPLY[@]}"
complete -p millrace > /dev/null`
  const complete = (...words: string[]): string[] => run('bash', script, ['millrace', ...words])
  assert.deepEqual(complete('acc'), ['accounts'])
  assert.deepEqual(complete('accounts', 'un'), ['unsuspend', 'unfollow'])
  assert.deepEqual(complete('ip-blocks', 'ex'), ['export'])
  assert.ok(complete('').includes('backup'))
  assert.ok(!complete('').some(word => word.startsWith('-')))
  assert.deepEqual(complete('accounts', 'create', 'ada', '--conf'), ['--confirmed'])
  assert.deepEqual(complete('jobs', 'list', '--js'), ['--json'])
  assert.deepEqual(complete('jobs', 'list', '--state', 'f'), ['failed'])
  // A file name: left to the shell.
  assert.deepEqual(complete('backup', './b'), [])
  assert.deepEqual(complete('completion', ''), ['bash', 'zsh'])
  // The argument of a command is no command.
  assert.deepEqual(complete('accounts', 'show', 'accounts', ''), [])
})

test('zsh completes commands, options and their values', { skip: isMissing('zsh') }, async () => {
  // Outside of its line editor zsh has no completion: what the script would add is printed.
  const script = `compdef() { : } ; compadd() { shift; print -l -- "$@" } ; _files() { print FILES }
${scriptFor('zsh')}
words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]; _millrace`
  const complete = (...given: string[]): string[] => run('zsh', script, ['millrace', ...given])
  assert.ok(complete('').includes('accounts'))
  assert.ok(complete('accounts', '').includes('unsuspend'))
  assert.ok(!complete('accounts', '').includes('--help'))
  assert.ok(complete('accounts', 'create', 'ada', '--').includes('--confirmed'))
  assert.ok(complete('jobs', 'list', '--state', '').includes('failed'))
  assert.deepEqual(complete('backup', ''), ['FILES'])
})
