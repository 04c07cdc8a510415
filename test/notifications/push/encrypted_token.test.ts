import assert from 'node:assert/strict'
import { test } from 'tap'
import { decryptToken, encryptToken } from '../../../src/notifications/push/encrypted_token.ts'

test('an encrypted token is decrypted only unchanged, with the same secret and for the same token', async () => {
  const sealed = encryptToken('secret', '7', 'the token')
  assert.equal(decryptToken('secret', '7', sealed), 'the token')
  assert.equal(decryptToken('other', '7', sealed), undefined)
  assert.equal(decryptToken('secret', '8', sealed), undefined)
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  assert.equal(decryptToken('secret', '7', changed), undefined)
  for (const length of [0, 12, 28]) assert.equal(decryptToken('secret', '7', sealed.subarray(0, length)), undefined)
  assert.notDeepEqual(encryptToken('secret', '7', 'the token'), sealed)
})
