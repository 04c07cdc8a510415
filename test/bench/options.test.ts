import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { readCount, readOptions } from '../../bench/options.ts'
import { chooseScenarios, listScenarios, scenarios } from '../../bench/scenarios.ts'

test('counts accept the suffixes k and M', async () => {
  for (const [text, value] of [
    ['7', 7],
    ['10k', 10_000],
    ['2M', 2_000_000],
  ] as const)
    assert.equal(readCount(text, 1), value)
  for (const text of ['', '0', '-1', '1.5', 'k', '10 k', '1G']) assert.throws(() => readCount(text, 1), /whole number/)
})

test('options are parsed and have defaults', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-test-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'tokens')
  await writeFile(file, '# people\nb\n\n c \n')
  const options = readOptions(['home', '--token', 'a', '--tokens-file', file, '--sizes', '10k,1M', '--rate', '50'])
  assert.deepEqual(options.scenarios, ['home'])
  assert.deepEqual(options.tokens, ['a', 'b', 'c'])
  assert.deepEqual(options.sizes, [10_000, 1_000_000])
  assert.equal(options.rate, 50)
  assert.equal(options.url, undefined)
  assert.equal(options.repeat, 3)
})

test('scenarios are selected by name or group and run in their own order', async () => {
  const names = (...wanted: string[]): string[] => chooseScenarios(wanted).map(({ name }) => name)
  assert.deepEqual(names('home', 'public'), ['public', 'home'])
  assert.deepEqual(names('anonymous'), ['public', 'status', 'instance'])
  assert.equal(names().length, scenarios.length)
  assert.ok(names('reads').includes('search'))
  assert.throws(() => names('homes'), /unknown scenario "homes"/)
  assert.equal(new Set(names()).size, scenarios.length)
  for (const name of names()) assert.ok(listScenarios().includes(name))
})
