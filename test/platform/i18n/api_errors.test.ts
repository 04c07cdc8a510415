import assert from 'node:assert/strict'
import { test } from 'tap'
import { ERRORS } from '../../../src/core/errors.ts'
import { translateError, translatorFor } from '../../../src/platform/i18n/index.ts'
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
