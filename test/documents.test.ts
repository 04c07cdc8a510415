import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { test } from 'tap'
import { chooseScenarios } from '../bench/scenarios.ts'
import { openSession } from '../src/cli/cli_context.ts'
import { buildProgram } from '../src/cli/program.ts'
import { CONFIG_TABLE } from '../src/core/config.ts'
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

test('scripts of npm', async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  assert.deepEqual(
    strays(/npm run (?:--silent )?([a-z:]+)/g, script => script in scripts),
    [],
  )
})

test('paths of the repository, and links between documents', async () => {
  // DISTRICT, ROOM and NAME stand for any.
  const exists = (file: string): boolean => /DISTRICT|ROOM|NAME/.test(file) || existsSync(path.join(ROOT, file))
  assert.deepEqual(strays(/`((?:src|sql|test|bench)\/[\w./-]*)`/g, exists), [])
  const isThere = (link: string, document: string): boolean =>
    existsSync(path.join(ROOT, path.dirname(document), link.replace(/#.*/, '')))
  assert.deepEqual(strays(/\]\((?!https?:)([^)#\s]+)\)/g, isThere), [])
})

test('commands of ctl', async () => {
  const streams = { output: process.stdout, error: process.stderr }
  const program = buildProgram(openSession({}, streams), streams)
  const exists = (words: string): boolean => {
    let command: Command = program
    for (const word of words.split(' ')) {
      const found: Command | undefined = command.commands.find(one => one.name() === word)
      if (!found) return command !== program && command.commands.length === 0
      command = found
    }
    return true
  }
  assert.deepEqual(strays(/ctl -- ([a-z_]+(?: [a-z_]+)?)/g, exists), [])
})

test('variables of the environment', async () => {
  const known = new Set<string>(CONFIG_TABLE.map(one => one.variable))
  // Of tests and of the examples.
  for (const name of ['MILLRACE_TEST_DATABASE', 'MILLRACE_TEST_WORKERS', 'TOKEN', 'DISTRICT', 'NAME']) known.add(name)
  assert.deepEqual(
    strays(/`\$?([A-Z][A-Z0-9_]{3,})(?:=[^`]*)?`/g, name => known.has(name) || !name.includes('_')),
    [],
  )
})

test('settings', async () => {
  assert.deepEqual(strays(/[Ss]etting `([a-z_]+)`/g, isSettingKey), [])
})

test('scenarios of the bench', async () => {
  const exists = (words: string): boolean => {
    assert.doesNotThrow(() => chooseScenarios(words.split(' ')), words)
    return true
  }
  assert.deepEqual(strays(/npm run bench -- ((?:[a-z][a-z0-9-]*)(?: [a-z][a-z0-9-]*)*)/g, exists), [])
})
