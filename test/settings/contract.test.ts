import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'node:test'
import { SITE_PICTURES } from '../../src/instance/index.ts'
import { SETTINGS } from '../../src/settings/index.ts'

const CONTRACT = fileURLToPath(new URL('../../../shared/api/settings.md', import.meta.url))

/** Records of their own (src/instance/site_pictures.ts), or nothing: the last two are without effect in the reference, or need a service of somebody else. */
const ELSEWHERE = new Set<string>([...SITE_PICTURES, 'disallowed_hashtags', 'captcha_enabled'])

/** The names in the first column of the contract's tables of stored settings. */
function contractKeys(): string[] {
  return readFileSync(CONTRACT, 'utf8')
    .split('\n')
    .map(line => line.split('|')[1] ?? '')
    .filter(cell => !cell.includes('env'))
    .flatMap(cell => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, key]) => key ?? ''))
    .filter(key => !ELSEWHERE.has(key))
}

test('every stored setting of the contract is in the catalogue', { skip: !existsSync(CONTRACT) }, () => {
  const keys = contractKeys()
  assert.ok(keys.length > 20)
  assert.deepEqual(
    keys.filter(key => !Object.hasOwn(SETTINGS, key)),
    [],
  )
})
