import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { ERRORS } from '../../../src/core/errors.ts'
import { translateError, translateKnown, translatorFor } from '../../../src/platform/i18n/index.ts'
import sentences from '../../../src/platform/i18n/texts/en/api_errors.json' with { type: 'json' }

const [german, french, english] = [translatorFor('de'), translatorFor('fr'), translatorFor('en')]

test('the messages of the API are translated for pages', async () => {
  for (const [message, de, fr] of [
    ['Validation failed: Domain is not a valid domain name', 'Domain ist kein gültiger Name einer Domain', /domaine/],
    [
      'You have already imposed stricter limits on bad.example.',
      'Für bad.example gelten schon strengere',
      /plus strictes/,
    ],
    [
      "Validation failed: Severity is not included in the list, Ip can't be blank",
      'Wirkung ist keine der möglichen Angaben, Netz muss angegeben werden',
      /Effet .*, Réseau/,
    ],
    [
      'Validation failed: Comment is too long (maximum is 2000 characters)',
      'Kommentar ist zu lang (höchstens 2000',
      /2000/,
    ],
    ['Record not found', 'Der Eintrag wurde nicht gefunden', /introuvable/],
    ['5000x5000 images are not supported', 'Bilder von 5000x5000 Punkten', /5000x5000/],
  ] as const) {
    assert.ok(translateError(message, german).startsWith(de), translateError(message, german))
    assert.match(translateError(message, french), fr)
    assert.equal(translateError(message, english), message.replace('Validation failed: ', ''))
  }
})

test('what has no translation stays as it is', async () => {
  for (const message of ['Something new', 'Something new, and $more {of} it', ''])
    assert.equal(translateError(message, german), message)
  assert.equal(translateError('Gadget is invalid', german), 'Gadget ist ungültig')
  assert.equal(translateError('Something new, Ip is invalid', german), 'Something new, Netz ist ungültig')
})

test('the translated errors are those of the catalogue', async () => {
  const texts = new Map<string, string>(Object.entries(ERRORS).map(([name, { error }]) => [name, error]))
  for (const [key, text] of Object.entries(sentences)) {
    const name = /^sentence\.error\.(\w+)$/.exec(key)?.[1]
    if (name !== undefined) assert.equal(texts.get(name), text, key)
  }
})

/** Where errors are thrown that no page shows: who reads their texts. */
const NOT_ON_PAGES: readonly (readonly [path: RegExp, reader: string])[] = [
  [/^src\/(cli|federation)\//, 'operators, other servers'],
  [/^src\/(statuses|timelines)\//, 'clients of the API'],
  [/^src\/accounts\/(collections\/|read\.ts)/, 'clients of the API'],
  [/^src\/administration\/accounts\/list\.ts/, 'clients of the admin API'],
  [/^src\/instance\/(health|announcements)\//, 'monitoring and clients of the API'],
  [/^src\/notifications\/push\//, 'clients of the API'],
  [/^src\/platform\/http\/param\/date\.ts/, 'clients of the API'],
]

const STRING = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\`(?:[^\`\\]|\\.)*\`)`
const MESSAGE = new RegExp(String.raw`new ApiError\(\s*'\w+',\s*\{\s*message:\s*(${STRING})`, 'g')
const SENTENCES = /validationError\(([^)]*)\)/g

/** The literal messages of a source file, with a number in place of each value. */
function messagesIn(source: string): string[] {
  const whole = [...source.matchAll(MESSAGE)].map(([, literal = '']) => literal)
  const parts = [...source.matchAll(SENTENCES)].flatMap(([, given = '']) => given.match(new RegExp(STRING, 'g')) ?? [])
  return (
    [...whole, ...parts]
      .map(literal => literal.slice(1, -1).replaceAll("\\'", "'"))
      .map(text => text.replace(/^Validation failed: /, '').replaceAll(/\$\{[^}]*\}/g, '12'))
      // What is left of a text that is put together of others.
      .filter(text => /[a-z]{2}/.test(text) && !text.includes('${'))
  )
}

test('each message that a page may show has a translation', async () => {
  const untranslated: string[] = []
  let found = 0
  for (const path of globSync('src/**/*.ts').toSorted()) {
    if (NOT_ON_PAGES.some(([place]) => place.test(path))) continue
    for (const message of messagesIn(readFileSync(path, 'utf8'))) {
      found += 1
      for (const translator of [german, french]) {
        const known = (text: string): boolean => translateKnown(text, translator) !== undefined
        if (!known(message) && !message.split(', ').every(known)) untranslated.push(`${path}: ${message}`)
      }
    }
  }
  assert.deepEqual(untranslated, [])
  assert.ok(found > 40, `${found} messages were found`)
})
