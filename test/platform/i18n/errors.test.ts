import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { translatorFor } from '../../../src/platform/i18n/index.ts'

const SOURCE = new URL('../../../src/', import.meta.url)
/** Folders with API operations only, whose errors no page shows. */
const WITHOUT_PAGES = ['accounts/collections/']
/** A field and a code, as arguments of `fieldErrors` and of the methods that add errors. */
const FIELD_ERRORS = [
  /field: '(\w+)', code: '(ERR_\w+)'/g,
  /\b(?:add|addError|refuse)\('(\w+)', (?:(?:'[^']*'|\w+), )?'(ERR_\w+)'/g,
]

test('pages have a text for each error of a field', async () => {
  const { has } = translatorFor('en')
  const found = new Set<string>()
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || WITHOUT_PAGES.some(folder => file.startsWith(folder))) continue
    const text = readFileSync(new URL(file, SOURCE), 'utf8')
    for (const pattern of FIELD_ERRORS)
      for (const [, field = '', code = ''] of text.matchAll(pattern)) found.add(`${field}.${code}`)
  }
  assert.ok(found.size > 30, `${found.size} errors were found`)
  const missing = [...found].filter(key => !has(`form_error.${key}`) && !has(`form_error.${key.replace(/^\w+\./, '')}`))
  assert.deepEqual(missing, [])
})
