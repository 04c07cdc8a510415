import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { SITE_PICTURES } from '../../../src/instance/index.ts'
import { SETTINGS } from '../../../src/platform/settings/index.ts'

const CONTRACT = fileURLToPath(new URL('../../../../shared/api/settings.md', import.meta.url))

/** Stored elsewhere (src/instance/site_pictures.ts), or, for the last one, without effect. */
const ELSEWHERE = new Set<string>([...SITE_PICTURES, 'disallowed_hashtags'])

const namesIn = (text: string): string[] => [...text.matchAll(/`([a-z_]+)`/g)].map(([, key]) => key ?? '')

/** The names of settings in the contract: in the first column of its tables, and of branding. */
function contractKeys(): string[] {
  const text = readFileSync(CONTRACT, 'utf8')
  const branding = /^## 6\..*\n\n(.*?)\. Rules/m.exec(text)?.[1]?.replaceAll(/\([^)]*\)/g, '') ?? ''
  const inTables = text
    .split('\n')
    .map(line => line.split('|')[1] ?? '')
    .filter(cell => !cell.includes('env'))
    .flatMap(namesIn)
  return [...inTables, ...namesIn(branding)].filter(key => !ELSEWHERE.has(key))
}

test('every stored setting of the contract is in the catalogue', { skip: !existsSync(CONTRACT) }, async () => {
  const keys = contractKeys()
  assert.ok(keys.length > 30 && keys.includes('custom_css'), String(keys))
  assert.deepEqual(
    keys.filter(key => !Object.hasOwn(SETTINGS, key)),
    [],
  )
})

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url))

test('every setting of the catalogue is used outside the catalogue', async () => {
  const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && name !== 'settings/catalogue.ts')
    .map(name => readFileSync(path.join(SOURCE, name), 'utf8'))
  // As a quoted key or, in a family such as the four feeds, composed from its parts.
  const isUsed = (key: string): boolean => {
    const family = /^(local|remote)(_(?:live|topic)_feed_access)$/.exec(key)
    return sources.some(text => text.includes(`'${key}'`) || (family !== null && text.includes(`}${family[2]}`)))
  }
  assert.deepEqual(
    Object.keys(SETTINGS).filter(key => !isUsed(key)),
    [],
  )
})
