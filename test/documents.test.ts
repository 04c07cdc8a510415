import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { test } from 'tap'
import { chooseScenarios } from '../bench/scenarios.ts'
import { openCliContext } from '../src/cli/cli_context.ts'
import { buildProgram } from '../src/cli/program.ts'
import { CONFIG_TABLE } from '../src/core/config_table.ts'
import { isSettingKey } from '../src/platform/settings/catalogue.ts'

/*
 * Everything that the documents name exists: scripts, commands, paths, links, variables and
 * settings.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))

const documents = [
  ...readdirSync(ROOT).filter(file => file.endsWith('.md')),
  ...['bench', '.github'].flatMap(folder =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.md') && !file.startsWith('results'))
      .map(file => `${folder}/${file}`),
  ),
].map(name => ({ name, text: readFileSync(path.join(ROOT, name), 'utf8') }))

/** What `pattern` finds in each document and `exists` does not know. */
function strays(pattern: RegExp, exists: (found: string, document: string) => boolean): string[] {
  return documents.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)]
      .map(match => match[1] ?? '')
      .filter(found => !exists(found, name))
      .map(found => `${name}: ${found}`),
  )
}

test('documents name existing npm scripts', async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  assert.deepEqual(
    strays(/npm run (?:--silent )?([a-z:]+)/g, script => script in scripts),
    [],
  )
})

test('documents name existing paths and links', async () => {
  // DISTRICT, ROOM and NAME stand for any.
  const exists = (file: string): boolean => /DISTRICT|ROOM|NAME/.test(file) || existsSync(path.join(ROOT, file))
  assert.deepEqual(strays(/`((?:src|sql|test|bench)\/[\w./-]*)`/g, exists), [])
  const isThere = (link: string, document: string): boolean =>
    existsSync(path.join(ROOT, path.dirname(document), link.replace(/#.*/, '')))
  assert.deepEqual(strays(/\]\((?!https?:)([^)#\s]+)\)/g, isThere), [])
})

test('documents name existing ctl commands', async () => {
  const streams = { output: process.stdout, error: process.stderr }
  const program = buildProgram(openCliContext({}, streams), streams)
  const exists = (words: string): boolean => {
    let command: Command = program
    for (const word of words.split(' ')) {
      const found: Command | undefined = command.commands.find(one => one.name() === word)
      if (!found) return command !== program && command.commands.length === 0
      command = found
    }
    return true
  }
  assert.deepEqual(strays(/ctl -- ([a-z_-]+(?: [a-z_-]+)?)/g, exists), [])
})

test('documents name existing environment variables', async () => {
  const known = new Set<string>(CONFIG_TABLE.map(one => one.variable))
  // Of Node.js, of glibc, of tests and of the examples.
  for (const name of [
    'MALLOC_ARENA_MAX',
    'MALLOC_MMAP_THRESHOLD_',
    'MALLOC_TRIM_THRESHOLD_',
    'NODE_EXTRA_CA_CERTS',
    'NO_COLOR',
    'MILLRACE_TEST_DATABASE',
    'MILLRACE_TEST_KILLS',
    'MILLRACE_TEST_WORKERS',
  ])
    known.add(name)
  for (const name of ['TOKEN', 'DISTRICT', 'NAME', 'SMTP_ULR']) known.add(name)
  assert.deepEqual(
    strays(
      /`\$?([A-Z][A-Z0-9_]{3,})(?:=[^`]*)?`/g,
      name => known.has(name) || !name.includes('_') || name.startsWith('ERR_'),
    ),
    [],
  )
})

const noSystemd = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd is not installed'

test('the unit for systemd is valid, and starts what npm start does', { skip: noSystemd }, async t => {
  const operating = readFileSync(path.join(ROOT, 'OPERATING.md'), 'utf8')
  const unit = /```ini\n(\[Unit\][^]*?)```/.exec(operating)?.[1] ?? ''
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [, variable, command] = /^export (\w+)=\$\{\w+:-\d+\}; exec node (.*)$/.exec(scripts['start'] ?? '') ?? []
  assert.equal(/^ExecStart=(.*)$/m.exec(unit)?.[1], `/srv/millrace/node_modules/.bin/node ${command}`)
  assert.match(unit, new RegExp(`^Environment=.* ${variable}=`, 'm'))
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-unit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'millrace.service')
  // The program and the user of the example are not on this machine.
  writeFileSync(file, unit.replace('/srv/millrace/node_modules/.bin/node', process.execPath).replace(/^User=.*$/m, ''))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  const own = stderr.split('\n').filter(line => line.includes('millrace'))
  assert.deepEqual({ status, own }, { status: 0, own: [] })
})

test('documents name existing settings', async () => {
  assert.deepEqual(strays(/[Ss]etting `([a-z_]+)`/g, isSettingKey), [])
})

test('documents name existing benchmark scenarios', async () => {
  const exists = (words: string): boolean => {
    assert.doesNotThrow(() => chooseScenarios(words.split(' ')), words)
    return true
  }
  assert.deepEqual(strays(/npm run bench -- ((?:[a-z][a-z0-9-]*)(?: [a-z][a-z0-9-]*)*)/g, exists), [])
})
