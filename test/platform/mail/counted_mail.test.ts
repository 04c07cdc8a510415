import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { countedMail, MailFailure, openMail, type Email } from '../../../src/platform/mail/index.ts'

const EMAIL: Email = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

test('e-mails are counted by what became of them', async t => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'millrace-mail-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const outcomes: string[] = []
  const count = (outcome: string): void => void outcomes.push(outcome)
  const options = { from: 'a@example.com', dataDir, logger: { info: () => undefined } }
  await countedMail(openMail(options), count).send(EMAIL)
  await assert.rejects(
    countedMail(openMail({ ...options, smtpUrl: 'smtp://127.0.0.1:1' }), count).send(EMAIL),
    MailFailure,
  )
  await countedMail({ send: async () => ({ response: '250 OK' }) }, count).send(EMAIL)
  assert.deepEqual(outcomes, ['file', 'server', 'sent'])
})
