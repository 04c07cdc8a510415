import assert from 'node:assert/strict'
import { test } from 'tap'
import { hashPassword, verifyPassword } from '../../../src/platform/password_hashing/index.ts'

test('a hash verifies only its password', async () => {
  const hash = await hashPassword('correct horse')
  assert.match(hash, /^\$argon2id\$/)
  assert.equal(await verifyPassword(hash, 'correct horse'), true)
  assert.equal(await verifyPassword(hash, 'correct horsf'), false)
})

test('without a valid hash every password is wrong', async () => {
  assert.equal(await verifyPassword(undefined, ''), false)
  assert.equal(await verifyPassword('-', '-'), false)
})

test('many simultaneous verifications all complete', async () => {
  const hash = await hashPassword('many')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => verifyPassword(hash, index % 2 ? 'many' : 'few')),
  )
  assert.deepEqual(
    answers,
    Array.from({ length: 12 }, (_, index) => index % 2 === 1),
  )
})
