import { c, query } from '../database/index.ts'
import { parseId, type Id } from '../id.ts'
import { job } from '../jobs/index.ts'
import { randomSecret } from '../oauth/secret.ts'
import { hashSecret } from '../oauth/token.ts'
import { html } from '../pages/index.ts'
import type { Services } from '../services.ts'

const startReset = query(
  'credentials/start_reset',
  { user: c.id, token_hash: c.bytes },
  { email: c.text, username: c.text },
)

function parseUser(payload: unknown): { user: Id } {
  const given = typeof payload === 'object' && payload !== null && 'user' in payload ? payload.user : undefined
  const user = typeof given === 'string' ? parseId(given) : undefined
  if (user === undefined) throw new Error('the payload names no user')
  return { user }
}

/** Sends a user the link that a new password is set with. Its token is made here, because only the hash of it is stored. */
export const sendReset = job<{ user: Id }, Services>(
  'credentials.send_reset',
  parseUser,
  async ({ user }, { database, mail, config, settings }) => {
    const token = randomSecret()
    const row = await database.one(startReset, { user, token_hash: hashSecret(token) })
    if (!row) return
    const site = settings.get('site_title')
    const link = `${config.publicUrl}/auth/password/edit?reset_password_token=${token}`
    const what = `Somebody, hopefully you, has asked to reset the password of @${row.username} on ${site}. With this link you can choose a new one:`
    const otherwise = 'The link is good for six hours. If it was not you, ignore this e-mail: nothing changes.'
    await mail.send({
      to: row.email,
      subject: `Reset your password for ${site}`,
      text: `Hello ${row.username},\n\n${what}\n\n${link}\n\n${otherwise}\n`,
      html: html`<p>Hello ${row.username},</p>
        <p>${what}</p>
        <p><a href="${link}">Choose a new password</a></p>
        <p>${otherwise}</p>`.text,
    })
  },
)
